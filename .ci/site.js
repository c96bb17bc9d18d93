// The search of `make docs`, a button that copies code, the choice of a theme, and links to headings. `search.js` holds what is searched; it is loaded when somebody begins to type.
const box = document.getElementById('search'), hits = document.getElementById('hits'), root = box.dataset.root
let loading

function load() {
    return loading ??= new Promise((ok, bad) => {
        const s = document.createElement('script')
        Object.assign(s, {src: root + 'search.js', onload: ok, onerror: bad})
        document.head.append(s)
    })
}

// What people type, and what pages call it
const synonyms = [['deadlock', 'hang', 'stuck'], ['multi-node', 'multinode', 'several machines'], ['oom', 'out of memory'], ['node', 'host'],
    ['kill', 'dead rank'], ['restart', 'reset'], ['memory', '%dist_mem'], ['cancel', 'interrupt'], ['stop', 'interrupt'], ['gpu', 'cuda'],
    ['worker', 'rank'], ['sbatch', 'slurm'], ['k8s', 'kubernetes'], ['variable', '%dist_vars'], ['launch', '%dist_init'], ['start', '%dist_init'], ['env', 'environment']]

function also(word) { return [word, ...synonyms.filter(o => o.includes(word)).flat().filter(o => o != word)] }

function begins(text, word) { // does a word of `text` begin with `word`? `hang` is not in `changed`
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) if (!/[a-z0-9]/.test(text[at - 1] ?? '')) return true
    return false
}

function close(word, known) { // a word of the site that is one letter away, for typing errors
    const near = (a, b) => {
        if (Math.abs(a.length - b.length) > 1) return false
        let i = 0, j = a.length, k = b.length
        while (i < Math.min(j, k) && a[i] == b[i]) i++
        while (j > i && k > i && a[j - 1] == b[k - 1]) { j--; k-- }
        return Math.max(j, k) - i <= 1 || (j - i == 2 && k - i == 2 && a[i] == b[i + 1] && a[i + 1] == b[i])
    }
    return word.length < 5 ? undefined : known.find(o => near(word, o))
}

function find(text, most = 12) { // sections that have every word: those with it in a title first, pages for readers above source and tests
    const words = text.toLowerCase().split(/\s+/).filter(Boolean)
    if (!words.length) return []
    const whole = text.trim().toLowerCase()
    const hits = ws => searched.map(([title, heading, href, body, weight]) => {
        const fields = [title, heading, body].map(o => o.toLowerCase())
        const points = ws.map(w => {
            const has = i => i ? begins : (f, o) => f.includes(o) // what was typed may be the end of a word, and another word for it may not
            const of = also(w).map((o, i) => fields.some(f => has(i)(f, o)) ? (4*has(i)(fields[0], o) + 3*has(i)(fields[1], o) + 1)/(i ? 2 : 1) : 0)
            return Math.max(...of)
        })
        const every = Math.min(...points) && points.reduce((a, b) => a + b)
        return {title, heading, href, body, points: every && every + 6*weight + 4*(fields[1].includes(whole) || fields[0] == whole) + 2*fields[2].includes(whole)}
    }).filter(o => o.points).sort((a, b) => b.points - a.points).slice(0, most)
    const found = hits(words)
    if (found.length) return found
    const known = [...synonyms.flat(), ...new Set(searched.flatMap(o => (o[0] + ' ' + o[1]).toLowerCase().match(/[%\w-]{4,}/g) ?? []))]
    return hits(words.map(w => close(w, known) ?? w))
}

function around(body, word) { // the words about the place where it is found
    const at = Math.max(0, body.toLowerCase().indexOf(word) - 40)
    return (at ? '… ' : '') + body.slice(at, at + 120)
}

async function show() {
    await load()
    const word = box.value.trim().toLowerCase().split(/\s+/)[0], found = find(box.value)
    hits.replaceChildren(...found.map(o => {
        const li = document.createElement('li'), a = document.createElement('a'), p = document.createElement('p')
        a.href = root + o.href
        a.textContent = o.heading ? o.title + ' › ' + o.heading : o.title
        p.textContent = around(o.body, word)
        li.append(a, p)
        return li
    }))
    if (word && !found.length) hits.textContent = 'nothing found'
}

box.addEventListener('input', show)
box.addEventListener('focus', load)
document.addEventListener('keydown', e => {
    if (e.key == '/' && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) { e.preventDefault(); box.focus() }
    if (e.key == 'Escape') { box.value = ''; hits.replaceChildren() }
    if (e.key == 'Enter' && document.activeElement == box) hits.querySelector('a')?.click()
})

for (const pre of document.querySelectorAll('div.sourceCode pre')) {
    const b = document.createElement('button')
    Object.assign(b, {className: 'copy', textContent: 'copy', title: 'Copy this code', onclick: async () => {
        await navigator.clipboard.writeText(pre.innerText)
        b.textContent = 'copied'
        setTimeout(() => b.textContent = 'copy', 1500)
    }})
    pre.parentElement.append(b)
}

const button = document.getElementById('theme')
theme(button.textContent = themed) // pictures too, which weren't there when the page began
button.onclick = () => {
    const names = Object.keys(choices)
    theme(button.textContent = themed = names[(names.indexOf(themed) + 1) % names.length])
    try { localStorage.theme = themed } catch {}
}

for (const h of document.querySelectorAll('main :is(h2, h3, h4)[id]')) {
    const a = document.createElement('a')
    Object.assign(a, {className: 'anchor', href: '#' + h.id, textContent: '#', title: 'Link to this section', ariaLabel: 'Link to this section'})
    h.append(a)
}
