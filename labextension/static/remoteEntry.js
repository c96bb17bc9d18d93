// JupyterLab and Notebook 7: beside each code cell the ranks that it runs on, and in the toolbar a picker that writes `%%rank 1` or `%%local` into the cell.
// What a bundler would make is written by hand: a container with `init` and `get`, which takes JupyterLab's own modules from the scope that it shares.
// The kernel's half is nbs/kernel/front/13_lab.ipynb: it answers a comm with how many ranks there are.
(() => {
  let scope
  const shared = async name => { const versions = Object.values(scope[name] ?? {}); return versions.length ? (await versions[0].get())() : null }
  const target = 'nbdistributed'
  const starts = /nbdistributed|%dist_(init|attach|reset|mode|shutdown)|ddip/  // cells after which the kernel may have an answer
  const decides = /^%%(rank|local)\b[^\n]*\n?/

  const style = `
    .jp-CodeCell[data-nbdistributed] .jp-InputPrompt { position: relative; overflow: visible }
    .jp-CodeCell[data-nbdistributed] .jp-InputPrompt::after { content: var(--nbdistributed); position: absolute; right: 4px; top: 19px;
      font-size: 9px; line-height: 11px; white-space: nowrap; color: var(--jp-ui-font-color0) }
    .nbdistributed-picker { display: flex; align-items: center; padding: 0 4px; font-size: var(--jp-ui-font-size1); color: var(--jp-ui-font-color1) }
    .nbdistributed-picker select { background: var(--jp-layout-color1); color: inherit; border: 1px solid var(--jp-border-color2); border-radius: 2px; font-size: inherit; margin-left: 4px }
    .nbdistributed-picker.lm-mod-hidden { display: none }`

  const named = ranks => /^\d+$/.test(ranks) ? `rank ${ranks}` : `ranks ${ranks}`
  const all = s => s.n == 1 ? 'rank 0' : `${s.n} ranks`

  // Where the text of a cell runs, as far as its first lines tell: '' if it is left to the magics in it
  function where(text, s) {
    const lines = text.split('\n').map(l => l.trim()).filter(l => l && !l.startsWith('#'))
    if (!s.n || !lines.length) return ''
    const first = lines[0], m = first.match(/^%%rank\s+(all\b|\d[\d,-]*)/)
    if (m) return m[1] == 'all' ? all(s) : named(m[1])
    if (/^%%local\b/.test(first)) return 'notebook'
    if (/^%%(distributed|dist_try)\b/.test(first)) return all(s)
    if (/^%%everywhere\b/.test(first)) return `${all(s)} + nb`
    if (/^%%(?!time|capture|prun)/.test(first)) return ''
    if (lines.every(l => /^%(dist_|load_ext|reload_ext|unload_ext|sync|pip|conda|rank)/.test(l))) return ''
    return s.auto ? all(s) : 'notebook'
  }

  function picker(Widget, change) {
    const node = document.createElement('div'), select = document.createElement('select')
    node.className = 'nbdistributed-picker'
    node.title = 'Where the active cell runs: writes %%rank or %%local into its first line'
    node.append('Run on', select)
    select.onchange = () => change(select.value)
    const w = new Widget({node})
    w.show_ranks = (s, value) => {
      const of = s.n <= 1 ? [] : [...Array(Math.min(s.n, 64)).keys()].map(r => [String(r), `rank ${r}`])
      const options = [['', all(s)], ...of, ['local', 'notebook']]
      if (value && !options.some(o => o[0] == value)) options.push([value, named(value)])
      select.replaceChildren(...options.map(([v, t]) => new Option(t, v)))
      select.value = value
      w.setHidden(!s.n)
    }
    return w
  }

  class Notebook { // one that is open
    constructor(panel, Widget) {
      this.panel = panel; this.forget()
      this.picker = picker(Widget, v => this.choose(v))
      panel.toolbar.insertItem(10, 'nbdistributed', this.picker)
      this.refresh()
      const later = () => { if (!this.due) this.due = requestAnimationFrame(() => { this.due = 0; this.refresh() }) }
      this.later = later
      panel.context.ready.then(() => { panel.model.contentChanged.connect(later); later() })
      panel.content.activeCellChanged.connect(later)
      panel.sessionContext.kernelChanged.connect(() => { this.forget(); later(); this.resume() })
      panel.sessionContext.statusChanged.connect((_, s) => { if (/restarting|dead/.test(s)) { this.forget(); later() } })
      panel.sessionContext.ready.then(() => this.resume())
    }
    forget() { this.comm = null; this.state = {n: 0, auto: false} }
    get kernel() { return this.panel.sessionContext.session?.kernel }
    // The page was loaded again: another page's comm tells that the kernel knows us
    async resume() {
      const info = await this.kernel?.requestCommInfo({target_name: target})
      if (Object.keys(info?.content.comms ?? {}).length) this.open()
    }
    open() {
      if (this.comm || !this.kernel) return
      const comm = this.comm = this.kernel.createComm(target)
      comm.onMsg = m => { if (this.comm === comm) { this.state = m.content.data; this.later() } }
      comm.onClose = () => { if (this.comm === comm) { this.forget(); this.later() } }
      comm.open({})
    }
    refresh() {
      if (this.panel.isDisposed) return
      for (const c of this.panel.content.widgets) {
        const text = c.model.type == 'code' ? where(c.model.sharedModel.getSource(), this.state) : ''
        if ((c.node.dataset.nbdistributed ?? '') == text) continue
        if (text) { c.node.dataset.nbdistributed = text; c.node.style.setProperty('--nbdistributed', JSON.stringify(text)) }
        else { delete c.node.dataset.nbdistributed; c.node.style.removeProperty('--nbdistributed') }
      }
      const text = this.panel.content.activeCell?.model.sharedModel.getSource() ?? '', m = text.match(/^%%rank\s+(\d[\d,-]*)/)
      this.picker.show_ranks(this.state, m ? m[1] : /^%%local\b/.test(text) ? 'local' : '')
    }
    choose(value) {
      const cell = this.panel.content.activeCell
      if (cell?.model.type != 'code') return
      const rest = cell.model.sharedModel.getSource().replace(decides, '')
      cell.model.sharedModel.setSource((value == 'local' ? '%%local\n' : value ? `%%rank ${value}\n` : '') + rest)
      this.panel.content.activate()
    }
  }

  async function plugin() {
    const {INotebookTracker, NotebookActions} = await shared('@jupyterlab/notebook'), {Widget} = await shared('@lumino/widgets')
    return {id: 'nbdistributed:ranks', description: 'Which ranks a cell runs on', autoStart: true, requires: [INotebookTracker], activate(app, tracker) {
      document.head.append(Object.assign(document.createElement('style'), {textContent: style}))
      const open = new Map()
      const watch = panel => { open.set(panel.content, new Notebook(panel, Widget)); panel.disposed.connect(() => open.delete(panel.content)) }
      tracker.forEach(watch)
      tracker.widgetAdded.connect((_, panel) => watch(panel))
      NotebookActions.executed.connect((_, {notebook, cell}) => { if (starts.test(cell.model.sharedModel.getSource())) open.get(notebook)?.open() })
    }}
  }

  const labs = window._JUPYTERLAB = window._JUPYTERLAB ?? {}
  labs.nbdistributed = {
    init: s => { scope = s },
    get: async () => { const p = await plugin(); return () => ({__esModule: true, default: p}) },
  }
})()
