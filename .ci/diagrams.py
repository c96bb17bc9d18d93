"Draw the diagrams of the explanations as SVG in nbs/images. Boxes bring their own ground, and lines are of a middle grey, so that they can be read on light and dark pages. `make diagrams` runs it."
from html import escape
from math import cos,pi,sin
from pathlib import Path
from fastcore.script import call_parse

ink,grey,plain,blue,green,amber = '#1d2733','#737e8b','#eef1f5','#d6e6fb','#d9f0dd','#fbeccb'
mono = 'ui-monospace, Menlo, Consolas, monospace'

def text(x, y, s, size=14, fill=ink, anchor='middle', bold=False, code=False):
    "One line of text, its middle at `(x, y)` by default"
    style = f' font-weight="600"'*bold + f' font-family="{mono}"'*code
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{fill}" text-anchor="{anchor}"{style}>{escape(s)}</text>'

def box(x, y, w, h, title, *lines, fill=plain, code=False):
    "A box with a title and lines below it"
    top = y+h/2-9*len(lines)+5
    return '\n'.join([f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="8" fill="{fill}" stroke="{grey}"/>', text(x+w/2, top, title, bold=True),
        *(text(x+w/2, top+19*(i+1), l, 12.5, code=code) for i,l in enumerate(lines))])

def arrow(x1, y1, x2, y2, label='', dy=-7, both=False):
    "A line with a head, and its label above the middle"
    start = ' marker-start="url(#tail)"'*both
    return '\n'.join([f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{grey}" stroke-width="2" marker-end="url(#head)"{start}/>',
        *([text((x1+x2)/2, (y1+y2)/2+dy, label, 12.5, grey)] if label else [])])

def svg(w, h, title, *parts):
    "A drawing of `w` by `h`; `title` is for those who can't see it"
    heads = ''.join(f'<marker id="{n}" viewBox="0 0 10 10" refX="{x}" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path d="{d}" fill="{grey}"/></marker>'
        for n,x,d in (('head',9,'M0 0 10 5 0 10z'),('tail',1,'M10 0 0 5 10 10z')))
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}" role="img" font-family="system-ui, sans-serif">\n' \
        f'<title>{escape(title)}</title><defs>{heads}</defs>\n'+'\n'.join(parts)+'\n</svg>\n'

def one_process():
    "A browser and a kernel"
    return svg(560, 130, 'A notebook: the page sends a cell to the kernel, and gets its output',
        box(10, 25, 200, 80, 'Jupyter, VS Code, …', 'In [1]: x = 1', code=True), box(350, 25, 200, 80, "the notebook's kernel", 'x = 1', fill=blue, code=True),
        arrow(216, 52, 344, 52, 'cell'), arrow(344, 82, 216, 82, 'output', 17))

def several():
    "A browser, a kernel and ranks"
    return svg(760, 250, 'With ranks: the kernel hands a cell on to two ranks and gathers what comes back; tensors go from rank to rank',
        box(10, 75, 190, 90, 'Jupyter, VS Code, …', 'In [1]: x = rank', code=True), box(295, 75, 190, 90, "the notebook's kernel", 'hands the cell on,', 'gathers what comes back', fill=blue),
        box(590, 15, 160, 75, 'rank 0', 'x = 0', fill=green, code=True), box(590, 155, 160, 75, 'rank 1', 'x = 1', fill=green, code=True),
        arrow(206, 105, 289, 105, 'cell'), arrow(289, 137, 206, 137, 'output', 17), arrow(491, 105, 584, 55, both=True), arrow(491, 137, 584, 187, both=True), text(526, 66, 'cell', 12.5, grey), text(520, 186, 'events', 12.5, grey),
        arrow(670, 96, 670, 149, both=True), text(662, 120, 'tensors:', 12.5, grey, 'end'), text(662, 136, 'NCCL, gloo', 12.5, grey, 'end'))

def processes():
    "Who starts whom, and the threads of each"
    return svg(760, 330, 'The processes: the kernel starts a supervisor, whose fork server starts the ranks; the kernel talks to supervisor and ranks through a socket file',
        box(10, 110, 210, 110, "the notebook's kernel", 'main thread: sends the cell,', 'takes the stop button', 'hub thread: owns the socket', fill=blue),
        box(300, 10, 190, 75, 'supervisor', 'starts ranks, tells', 'when one dies', fill=amber), box(560, 10, 190, 75, 'fork server', 'has imported torch once;', 'ranks are copies of it', fill=amber),
        box(300, 130, 450, 80, 'rank 0', 'main thread: an IPython shell – your code, CUDA, collectives', 'io thread: sends what is printed, answers questions', fill=green),
        box(300, 240, 450, 80, 'rank 1, …', 'each in a session of its own', fill=green),
        arrow(226, 130, 294, 60, both=True), arrow(226, 165, 294, 165, both=True), arrow(226, 200, 294, 268, both=True), arrow(496, 47, 554, 47), arrow(655, 91, 655, 124, both=False),
        text(664, 112, 'fork', 12.5, grey, 'start'), text(115, 250, 'a socket file that only you', 12.5, grey), text(115, 267, 'can open, no network port', 12.5, grey))

def journey():
    "The steps of a cell"
    steps = [('1  received','the kernel has the cell'),('2  route','ranks, here, or both?'),('3  group','are these ranks idle?'),('4  wire','Execute(cell, code, n)')]
    back = [('8  the notebook','under the cell that asked'),('7  render','equal output is one'),('6  wire','Stream, Error, Done')]
    parts = [box(10+190*i, 15, 165, 70, *s, fill=blue) for i,s in enumerate(steps)]+[arrow(175+190*i, 50, 198+190*i, 50) for i in range(3)]
    parts += [box(580, 130, 165, 70, '5  shell', 'each rank runs it as In[n]', fill=green), arrow(662, 89, 662, 125)]
    parts += [box(10+190*i, 130, 165, 70, *s, fill=blue) for i,s in enumerate(back)]+[arrow(198+190*i, 165, 177+190*i, 165) for i in range(3)]
    return svg(760, 215, 'The journey of a cell in eight steps: received, routed, addressed, sent, run on each rank, answered, folded, published', *parts)

def ring(n=4):
    "Ranks in a ring, each with its pieces"
    cx,cy,r,w,h = 260,205,140,116,62
    at = [(cx+1.25*r*sin(2*pi*i/n), cy-r*cos(2*pi*i/n)) for i in range(n)]
    def between(i): # from box to box, along the line of their middles
        (x1,y1),(x2,y2) = at[i],at[(i+1)%n]
        return arrow(x1+(x2-x1)*.36, y1+(y2-y1)*.36, x1+(x2-x1)*.66, y1+(y2-y1)*.66)
    pieces = lambda x,y: ''.join(f'<rect x="{x-42+22*j:g}" y="{y+6:g}" width="18" height="14" rx="2" fill="{c}" stroke="{grey}"/>' for j,c in enumerate(('#8fbcf2','#f2c14e','#8ed19b','#d7a6e8')))
    boxes = [f'<rect x="{x-w/2:g}" y="{y-h/2:g}" width="{w}" height="{h}" rx="8" fill="{green}" stroke="{grey}"/>{text(x, y-6, f"rank {i}", bold=True)}{pieces(x, y)}' for i,(x,y) in enumerate(at)]
    return svg(520, 410, 'Four ranks in a ring: each holds four pieces of the tensor and sends to its right neighbor only', *map(between, range(n)), *boxes,
        text(cx, cy-4, 'one piece at a time', 13, grey), text(cx, cy+14, 'to the right neighbor', 13, grey))

def several_machines():
    "A kernel, two hosts with an agent, a supervisor and ranks each"
    def host(y, name, a, b):
        return '\n'.join([f'<rect x="300" y="{y}" width="450" height="150" rx="8" fill="none" stroke="{grey}" stroke-dasharray="5 4"/>', text(315, y+22, name, 12.5, grey, 'start'),
            box(315, y+35, 130, 95, 'agent', 'nbdistributed', 'agent', fill=amber), box(490, y+30, 110, 50, 'supervisor', 'fork server', fill=amber),
            box(630, y+30, 105, 50, f'rank {a}', fill=green), box(630, y+90, 105, 50, f'rank {b}', fill=green),
            arrow(449, y+60, 486, y+55, both=True), arrow(449, y+95, 626, y+112, both=True), arrow(604, y+48, 626, y+48)])
    return svg(760, 350, 'Two hosts: the kernel has one connection to the agent of each, which passes on for its supervisor and ranks; tensors go from rank to rank',
        box(10, 115, 200, 120, "the notebook's kernel", 'one port, one address', 'CURVE keys for this', 'meeting only', fill=blue), host(10, 'host c1', 0, 1), host(190, 'host c2', 2, 3),
        arrow(214, 150, 311, 95, both=True), arrow(214, 200, 311, 265, both=True), text(250, 110, 'encrypted', 12.5, grey), text(250, 252, 'one a host', 12.5, grey),
        arrow(700, 154, 700, 216, both=True), text(690, 179, 'tensors', 12.5, grey, 'end'))

drawings = dict(several_machines=several_machines, one_process=one_process, kernel_and_ranks=several, processes=processes, journey=journey, ring=ring)
def diagrams(
    dest:str='nbs/images', # Where they go
):
    "Draw all of them"
    for k,f in drawings.items(): (Path(dest)/f'{k}.svg').write_text(f(), encoding='utf-8')

if __name__=='__main__': call_parse(diagrams)
