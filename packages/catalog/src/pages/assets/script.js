/** Adds functions to the web pages, such as a copy button. All pages also work without this script. */

for (const button of document.querySelectorAll('[data-copy]')) copying(button);
const form = document.querySelector('form.check');
if (form) checking(form);

/** Adds a click handler to a button that copies the text of another element, if the browser can copy text. */
function copying(button) {
  const text = document.getElementById(button.dataset.copy);
  if (!navigator.clipboard || !text) return;
  button.hidden = false;
  button.addEventListener('click', async () => {
    const words = await navigator.clipboard.writeText(text.textContent).then(
      () => 'Copied',
      () => 'Text selected',
    );
    if (words !== 'Copied') getSelection()?.selectAllChildren(text);
    button.textContent = words;
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2_000);
  });
}

/** Checks a template file shortly after the user stops typing. */
function checking(form) {
  const area = form.elements.template;
  const verdict = document.getElementById('verdict');
  const problems = document.getElementById('problems');
  const answer = document.getElementById('answer');
  const beside = linesOf(area);
  let running = new AbortController();
  let timer = 0;

  area.addEventListener('input', () => {
    beside.draw();
    clearTimeout(timer);
    timer = setTimeout(check, 300);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    clearTimeout(timer);
    check();
  });
  form.querySelector('[data-example]').addEventListener('click', (event) => {
    event.preventDefault();
    replace(area, document.getElementById('example').content.textContent);
  });
  answer.replaceChildren();
  beside.draw();
  check();

  async function check() {
    // Aborts the previous check, because its result must not replace the result for the current text.
    running.abort();
    running = new AbortController();
    const text = area.value;
    if (text.trim() === '') return show(null);
    try {
      const response = await fetch(form.dataset.validate, {
        method: 'POST',
        headers: { 'content-type': 'application/yaml' },
        body: text,
        signal: AbortSignal.any([running.signal, AbortSignal.timeout(15_000)]),
      });
      const body = await response.json();
      if (response.ok) show(body);
      else say('refused', body.error.message);
    } catch (error) {
      if (error.name === 'AbortError') return;
      say('refused', 'The catalog could not be reached. Press Check to try again.');
    }
  }

  function show(found) {
    const said = found?.problems ?? [];
    beside.mark(said);
    problems.replaceChildren(...said.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)).map(card));
    if (!found) {
      say('soft', 'The problems of the file appear here, with line numbers.');
      return answer.replaceChildren();
    }
    const tally = tallyOf(said);
    if (found.valid) say('valid', `This template is valid${tally && `, with ${tally}`}.`);
    else say('refused', `The catalog would refuse this template: ${tally}.`);
    install(answer, found.manifest);
  }

  function say(kind, words) {
    const line = element('p', kind, words);
    const mark = document.getElementById(`said-${kind === 'valid' ? 'good' : 'error'}`).content.querySelector('svg');
    if (kind !== 'soft') line.prepend(mark.cloneNode(true));
    // Screen readers would read the result of the check again after every key. Therefore, the result is replaced only
    // if it has changed.
    if (verdict.textContent !== line.textContent) verdict.replaceChildren(line);
  }

  function card({ severity, code, message, hint, line, column }) {
    const made = document.getElementById(`said-${severity}`).content.firstElementChild.cloneNode(true);
    made.querySelector('.what bdi').append(...withCode(message));
    if (hint) made.querySelector('.hint bdi').replaceChildren(...withCode(hint));
    else made.querySelector('.hint').remove();
    const link = made.querySelector('a.code');
    link.textContent = code;
    link.href = `${form.dataset.codes}#${code}`;
    if (line) {
      const button = element('button', 'jump', `Line ${line}${column ? `, column ${column}` : ''}`);
      button.type = 'button';
      button.addEventListener('click', () => jump(area, line, column ?? 1));
      link.before(button, ' ');
    }
    return made;
  }
}

/** Draws line numbers and markers beside a text area, and scrolls them together with the text. */
function linesOf(area) {
  // Maximum number of lines that get a line number. More line numbers would slow down typing. The list of problems
  // still covers all lines.
  const most = 2_000;
  const [numbers, remarks] = [element('div', 'numbers'), element('div', 'remarks')];
  for (const layer of [numbers, remarks]) layer.setAttribute('aria-hidden', 'true');
  const [column, behind] = [element('div', 'inner'), element('div', 'inner')];
  numbers.append(column);
  remarks.append(behind);
  area.before(remarks, numbers);
  area.parentElement.classList.add('live');
  let said = new Map();

  const follow = () => {
    column.style.transform = `translateY(${-area.scrollTop}px)`;
    behind.style.transform = `translate(${-area.scrollLeft}px, ${-area.scrollTop}px)`;
  };
  area.addEventListener('scroll', follow, { passive: true });

  function draw() {
    const texts = area.value.split('\n', most);
    while (column.children.length < texts.length) {
      column.append(element('div', 'number', String(column.children.length + 1)));
      const line = element('div', 'remark');
      line.append(element('span', 'text'), element('span', 'lens'));
      behind.append(line);
    }
    while (column.children.length > texts.length) {
      column.lastChild.remove();
      behind.lastChild.remove();
    }
    for (const [at, text] of texts.entries()) {
      const shown = behind.children[at].firstChild;
      if (shown.textContent !== text) shown.textContent = text;
    }
    follow();
  }

  function mark(diagnostics) {
    const worst = ['error', 'warning', 'info'];
    const before = said;
    said = Map.groupBy(diagnostics, ({ line }) => line ?? 0);
    for (const at of new Set([...before.keys(), ...said.keys()])) {
      const [number, remark] = [column.children[at - 1], behind.children[at - 1]];
      if (!number) continue;
      const here = said.get(at) ?? [];
      const severity = worst.find((each) => here.some((diagnostic) => diagnostic.severity === each)) ?? '';
      number.className = `number ${severity}`;
      remark.className = `remark ${severity}`;
      remark.lastChild.textContent = here.map(({ message }) => message.replaceAll('`', '')).join('  ');
    }
  }

  return { draw, mark };
}

function install(answer, manifest) {
  const wasOpen = answer.querySelector('details')?.open ?? false;
  if (!manifest) return answer.replaceChildren();
  const details = element('details', 'part');
  details.open = wasOpen;
  const text = element('pre', 'plain', JSON.stringify(manifest, null, 2));
  text.tabIndex = 0;
  details.append(element('summary', '', 'Resources to create'), text);
  answer.replaceChildren(details);
}

/**
 * Moves the caret to the position of a diagnostic. Diagnostics count columns in code points, but text areas count
 * UTF-16 units.
 */
function jump(area, line, column) {
  const lines = area.value.split('\n');
  const before = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  const text = lines[line - 1] ?? '';
  const start = before + [...text].slice(0, column - 1).join('').length;
  area.focus();
  area.setSelectionRange(start, before + text.length);
  const height = area.scrollHeight / Math.max(lines.length, 1);
  area.scrollTop = Math.max(0, (line - 1) * height - area.clientHeight / 2);
  area.scrollLeft = 0;
}

/** Replaces the text of a text area in a way that the user can undo. */
function replace(area, text) {
  area.focus();
  area.select();
  if (!document.execCommand('insertText', false, text)) {
    area.value = text;
    area.dispatchEvent(new Event('input'));
  }
  area.setSelectionRange(0, 0);
  area.scrollTop = 0;
}

function tallyOf(said) {
  const nouns = {
    error: ['error', 'errors'],
    warning: ['warning', 'warnings'],
    info: ['piece of advice', 'pieces of advice'],
  };
  const parts = Object.entries(nouns).flatMap(([severity, [one, many]]) => {
    const found = said.filter((diagnostic) => diagnostic.severity === severity).length;
    return found === 0 ? [] : [`${found} ${found === 1 ? one : many}`];
  });
  return new Intl.ListFormat('en').format(parts);
}

/** Splits a text at backticks and puts the parts between backticks into `code` elements. */
function withCode(text) {
  return text.split(/`([^`]+)`/).map((part, at) => (at % 2 ? element('code', '', part) : part));
}

function element(name, className, text = '') {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}
