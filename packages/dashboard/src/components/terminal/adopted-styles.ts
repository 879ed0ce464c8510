/**
 * xterm writes style elements and style attributes while it runs, which the policy of the pages does not allow. Its style
 * elements become style sheets that the document adopts, and its attributes what `style` takes from scripts. Its option
 * for a document of one's own reaches only one of the places that make them.
 */
import type { Terminal } from '@xterm/xterm';

/** Runs what makes style elements, with stand-ins for them. @returns what takes their style sheets away again */
export function withAdoptedStyles(run: () => void): () => void {
  const sheets: CSSStyleSheet[] = [];
  const create = document.createElement;
  document.createElement = ((name: string, options?: ElementCreationOptions) => {
    if (name !== 'style') return create.call(document, name, options);
    const sheet = new CSSStyleSheet();
    sheets.push(sheet);
    document.adoptedStyleSheets.push(sheet);
    return standIn(create.call(document, 'span'), sheet);
  }) as typeof document.createElement;
  try {
    run();
  } finally {
    document.createElement = create;
  }
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => !sheets.includes(sheet));
  };
}

/** An element that is not shown, whose text is the text of a style sheet. */
function standIn(element: HTMLElement, sheet: CSSStyleSheet): HTMLElement {
  element.hidden = true;
  return Object.defineProperty(element, 'textContent', { set: (text: string) => sheet.replaceSync(text) });
}

interface RowFactory {
  _addStyle: (element: HTMLElement, style: string) => void;
}

/** Colours of a program's own are set on each piece of text. @throws Error when a newer xterm is built otherwise */
export function setStylesByScript(terminal: Terminal): void {
  const inside = terminal as unknown as {
    _core: { _renderService: { _renderer: { value: { _rowFactory: RowFactory } } } };
  };
  const factory = inside._core._renderService._renderer.value._rowFactory;
  if (typeof factory._addStyle !== 'function') throw new Error('xterm sets its styles in another way');
  factory._addStyle = (element, style) => {
    element.style.cssText += `${style};`;
  };
}
