"Open every page of _site/ in a headless Chromium, narrow and wide, light and dark: what it complains about, and what runs out of the window. `make look` does so."
import os,sys
from pathlib import Path
from fastcore.script import call_parse
from nbdistributed.testbed.browser import Browser

widths = 390,1280 # pixels: a phone, a laptop
faint = """() => { // text, not lines of a bar, that can hardly be read on its ground, by the ratio of WCAG
    const rgba = c => { const v = c.match(/[\\d.]+/g).map(Number); return v.length < 4 ? [...v, 1] : v }
    const lum = c => { const v = c.map(o => (o /= 255) <= .03928 ? o/12.92 : ((o+.055)/1.055)**2.4); return .2126*v[0]+.7152*v[1]+.0722*v[2] }
    const over = (c, under) => c.slice(0, 3).map((o, i) => o*c[3]+under[i]*(1-c[3])) // a color that lets some of what is below through
    const ground = e => !e ? (matchMedia('(prefers-color-scheme: dark)').matches ? [18,18,18] : [255,255,255]) : (c => c[3] == 1 ? c.slice(0, 3) : over(c, ground(e.parentElement)))(rgba(getComputedStyle(e).backgroundColor))
    const bad = new Set()
    for (const e of document.querySelectorAll('body *')) {
        const t = [...e.childNodes].find(o => o.nodeType==3 && o.textContent.trim())
        if (!t || !/[\\p{L}\\p{N}]/u.test(t.textContent) || !e.checkVisibility() || e.closest('svg, iframe, button')) continue
        const under = ground(e), [a, b] = [lum(over(rgba(getComputedStyle(e).color), under)), lum(under)].sort((x, y) => y-x)
        if ((a+.05)/(b+.05) < 3) bad.add(t.textContent.trim().slice(0, 30))
    }
    return [...bad] }"""

def look_at(b, files, shots=None):
    "Yield `(file, complaint)` for pages in a browser's Chromium; `shots` is a folder for pictures. On the browser's thread"
    page,heard = b.chromium.new_page(),[]
    def ours(url): return not url.startswith('http') # a plot's library at another site, which is out of reach where there is no network
    page.on('console', lambda m: heard.append(f'console: {m.text}') if m.type=='error' and ours((m.location or {}).get('url', '')) else None)
    page.on('pageerror', lambda e: heard.append(f'error: {e}') if ours(str(e)) else None)
    page.on('requestfailed', lambda r: heard.append(f'not loaded: {r.url}') if ours(r.url) else None)
    out = []
    try:
        for f in files:
            for dark in False,True:
                page.emulate_media(color_scheme='dark' if dark else 'light')
                for w in widths:
                    page.set_viewport_size(dict(width=w, height=900))
                    if (dark,w)==(False,widths[0]): page.goto(f.absolute().as_uri(), wait_until='load')
                    if (n := page.evaluate('document.documentElement.scrollWidth'))>w and not dark: heard.append(f'{n} pixels wide in a window of {w}')
                    if shots: page.screenshot(path=str(Path(shots)/f'{"-".join(f.with_suffix("").parts[-2:])}-{w}-{"dark" if dark else "light"}.png'))
                heard += [f'{"dark" if dark else "light"}: hard to read: {t!r}' for t in page.evaluate(faint)[:3]]
            out += [(f,o) for o in heard]
            heard.clear()
    finally: page.close()
    return out

def look(
    site:str='_site', # What `make docs` has written
    shots:str=None, # A folder for pictures of the pages
    only:str='', # Words of the addresses of pages to look at; all by default
):
    "Open the site's pages in Chromium, and exit with 1 if one has something to complain about"
    files = [f for f in sorted(Path(site).rglob('*.html')) if all(o in f.as_posix() for o in only.split())]
    if not files: sys.exit(f'{site} has no such pages: make docs writes them')
    if shots: os.makedirs(shots, exist_ok=True)
    with Browser() as b: bad = b.call(look_at, b, files, shots)
    for f,o in bad: print(f'{f}: {o}')
    print(f'{len(files)} pages at {" and ".join(map(str, widths))} pixels, light and dark: {len(bad)} complaints')
    if bad: sys.exit(1)

if __name__=='__main__': call_parse(look)
