/**
 * Makes the terminal library `xterm` work with the dashboard's content security policy, which forbids style elements
 * and style attributes. Style elements become adopted style sheets, and style attributes become assignments to
 * `element.style`. The `document` option of `xterm` is not enough, because it replaces only some style elements.
 */
import type { Terminal } from '@xterm/xterm';

/**
 * Calls `run` and replaces each `<style>` element that `run` creates with a hidden element. The CSS of the element is
 * added to the document as an adopted style sheet (`adoptedStyleSheets`).
 * @returns function that removes these style sheets from the document
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
 * Makes a hidden HTML element work like a `<style>` element. If code writes CSS to the `textContent` of the element,
 * the CSS is stored in the given style sheet.
 */
function standIn(element: HTMLElement, sheet: CSSStyleSheet): HTMLElement {
  element.hidden = true;
  return Object.defineProperty(element, 'textContent', { set: (text: string) => sheet.replaceSync(text) });
}

interface RowFactory {
  _addStyle: (element: HTMLElement, style: string) => void;
}

/**
 * Replaces the internal function of `xterm` that sets style attributes, because the content security policy forbids
 * them.
 * @throws Error if the installed version of `xterm` does not have this function
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
