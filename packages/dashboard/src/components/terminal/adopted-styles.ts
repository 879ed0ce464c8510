/**
 * Makes the terminal library `xterm` work with a content security policy that forbids style elements and style
 * attributes.
 */
import type { Terminal } from '@xterm/xterm';

/**
 * Calls `run`. Each `<style>` element that `run` creates becomes an adopted style sheet.
 * @returns function that removes these style sheets
 */
export function withAdoptedStyles(run: () => void): () => void {
  const sheets: CSSStyleSheet[] = [];
  const create = document.createElement;
  /*
   * The option `document` of `xterm` is not enough, because it affects only some of the style elements that `xterm`
   * creates.
   */
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
 * Makes a hidden HTML element work like a `<style>` element. CSS in the `textContent` of the element goes to the style
 * sheet.
 */
function standIn(element: HTMLElement, sheet: CSSStyleSheet): HTMLElement {
  element.hidden = true;
  return Object.defineProperty(element, 'textContent', { set: (text: string) => sheet.replaceSync(text) });
}

interface RowFactory {
  _addStyle: (element: HTMLElement, style: string) => void;
}

/**
 * Replaces the function of `xterm` that sets style attributes. The content security policy forbids style attributes.
 * @throws Error if this `xterm` has no such function
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
