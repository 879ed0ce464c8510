/** Wraps the terminal library `xterm`. The browser loads this file when the user opens a terminal. */
import { FitAddon } from '@xterm/addon-fit';
import { type ITheme, Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { setStylesByScript, withAdoptedStyles } from './adopted-styles.ts';
import type { Size } from './shell-connection.ts';

/** Maximum number of lines that the user can scroll back in the terminal. */
const SCROLLBACK = 5_000;

export interface Screen {
  readonly size: Size;
  write: (bytes: Uint8Array | string) => void;
  focus: () => void;
  clear: () => void;
  /** Enables or disables keyboard input in the terminal. */
  takesKeys: (isTaken: boolean) => void;
  /** Returns the selected text of the terminal, or an empty string. */
  selected: () => string;
  paste: (text: string) => void;
  close: () => void;
}

export interface ScreenListener {
  onTyped: (bytes: Uint8Array<ArrayBuffer>) => void;
  onResize: (size: Size) => void;
}

/** Shows a terminal in a page element. The terminal fills the element and uses the colors of the dashboard's theme. */
export function openScreen(parent: HTMLElement, { onTyped, onResize }: ScreenListener): Screen {
  const terminal = new Terminal({
    fontFamily: 'ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace',
    fontSize: 13,
    scrollback: SCROLLBACK,
    cursorBlink: false,
    minimumContrastRatio: 4.5,
    theme: themeOf(parent),
    screenReaderMode: true,
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  const releaseStyles = withAdoptedStyles(() => terminal.open(parent));
  setStylesByScript(terminal);
  fit.fit();
  const encoder = new TextEncoder();
  terminal.onData((text) => onTyped(encoder.encode(text)));
  terminal.onBinary((text) => onTyped(Uint8Array.from(text, (letter) => letter.charCodeAt(0))));
  terminal.onResize(({ cols, rows }) => onResize({ columns: cols, rows }));
  const observer = new ResizeObserver(() => fit.fit());
  observer.observe(parent);
  const stopWatching = watchScheme(() => {
    terminal.options.theme = themeOf(parent);
  });
  return {
    get size() {
      return { columns: terminal.cols, rows: terminal.rows };
    },
    write: (bytes) => terminal.write(bytes),
    focus: () => terminal.focus(),
    clear: () => terminal.reset(),
    takesKeys: (isTaken) => {
      terminal.options.disableStdin = !isTaken;
    },
    selected: () => terminal.getSelection(),
    paste: (text) => terminal.paste(text),
    close: () => {
      observer.disconnect();
      stopWatching();
      terminal.dispose();
      releaseStyles();
    },
  };
}

const NAMES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;

/**
 * Returns the ANSI colors of the current theme for the terminal. The colors come from the style sheet, so that the
 * terminal and the log lines have the same colors.
 */
function themeOf(parent: HTMLElement): ITheme {
  const probe = document.createElement('span');
  parent.append(probe);
  const colour = (name: string) => {
    probe.style.color = `var(--${name})`;
    return hex(getComputedStyle(probe).color);
  };
  const sixteen = NAMES.flatMap((name, at) => [
    [name, colour(`ansi-${at}`)],
    [`bright${name[0]?.toUpperCase()}${name.slice(1)}`, colour(`ansi-${at + 8}`)],
  ]);
  const theme = {
    ...(Object.fromEntries(sixteen) as ITheme),
    background: colour('panel'),
    foreground: colour('text'),
    cursor: colour('accent'),
    cursorAccent: colour('panel'),
    selectionBackground: colour('accent-soft'),
    selectionInactiveBackground: colour('sunken'),
  };
  probe.remove();
  return theme;
}

/** Converts a CSS color such as `rgb(1, 2, 3)` to a hexadecimal color such as `#010203`. */
function hex(colour: string): string {
  const bytes = colour
    .match(/[\d.]+/g)
    ?.slice(0, 3)
    .map(Number) ?? [0, 0, 0];
  return `#${bytes.map((byte) => Math.round(byte).toString(16).padStart(2, '0')).join('')}`;
}

/**
 * Calls a function when the color scheme of the operating system or the theme of the dashboard changes.
 * @returns a function that stops the calls
 */
function watchScheme(onChange: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', onChange);
  const chosen = new MutationObserver(onChange);
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    system.removeEventListener('change', onChange);
    chosen.disconnect();
  };
}
