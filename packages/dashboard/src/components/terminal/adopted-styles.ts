/**
 * Makes the terminal library xterm work with the content security policy, which forbids style elements and style
 * attributes. Style elements become adopted style sheets. Style attributes become assignments to `element.style`. The
 * `document` option of xterm replaces only some of its style elements.
 */
import type { Terminal } from '@xterm/xterm';

/**
 * Runs a function that creates style elements, and replaces the elements by adopted style sheets.
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

/**
 * Turns an element into a substitute for a style element. Text that is assigned to its `textContent` goes into the
 * style sheet.
 */
function standIn(element: HTMLElement, sheet: CSSStyleSheet): HTMLElement {
  element.hidden = true;
  return Object.defineProperty(element, 'textContent', { set: (text: string) => sheet.replaceSync(text) });
}

interface RowFactory {
  _addStyle: (element: HTMLElement, style: string) => void;
}

/**
 * Replaces the internal xterm method that sets style attributes, because the content security policy forbids style
 * attributes.
 * @throws Error if the installed version of xterm does not have the method
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
