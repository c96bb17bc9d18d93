// The search of `make docs`, and a button that copies code. `search.js` holds what is searched; it is loaded when somebody begins to type.
const box = document.getElementById('search'), hits = document.getElementById('hits'), root = box.dataset.root
let loading

function load() {
    return loading ??= new Promise((ok, bad) => {
        const s = document.createElement('script')
        Object.assign(s, {src: root + 'search.js', onload: ok, onerror: bad})
        document.head.append(s)
    })
}

function find(text, most = 12) { // sections that have every word: those with it in a title first, else in the order of the site
    const words = text.toLowerCase().split(/\s+/).filter(Boolean)
    if (!words.length) return []
    const rated = searched.map(([title, heading, href, body]) => {
        const fields = [title, heading, body].map(o => o.toLowerCase())
        const points = words.map(w => fields.some(f => f.includes(w)) ? 4*fields[0].includes(w) + 3*fields[1].includes(w) + 1 : 0)
        return {title, heading, href, body, points: Math.min(...points) && points.reduce((a, b) => a + b)}
    })
    return rated.filter(o => o.points).sort((a, b) => b.points - a.points).slice(0, most)
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
