/**
 * Makes xterm work with the content security policy, which forbids the style elements and style attributes of xterm.
 * Style elements become adopted style sheets of the document. Style attributes become assignments to `style` from a
 * script. The `document` option of xterm covers only one place that creates style elements.
 */
import type { Terminal } from '@xterm/xterm';

/**
 * Runs a function and replaces the style elements that it creates with adopted style sheets.
 * @returns a function that removes the style sheets
 */
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

/** Returns a hidden element whose text content sets the text of a style sheet. */
function standIn(element: HTMLElement, sheet: CSSStyleSheet): HTMLElement {
  element.hidden = true;
  return Object.defineProperty(element, 'textContent', { set: (text: string) => sheet.replaceSync(text) });
}

interface RowFactory {
  _addStyle: (element: HTMLElement, style: string) => void;
}

/**
 * Replaces the method with which xterm sets the colors of each piece of text.
 * @throws Error if a newer xterm has another internal structure
 */
export function setStylesByScript(terminal: Terminal): void {
  const inside = terminal as unknown as {
    _core: { _renderService: { _renderer: { value: { _rowFactory: RowFactory } } } };
  };
  const factory = inside._core._renderService._renderer.value._rowFactory;
  if (typeof factory._addStyle !== 'function') throw new Error('the terminal library xterm has an unexpected version');
  factory._addStyle = (element, style) => {
    element.style.cssText += `${style};`;
  };
}
