import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { shownMessage } from '../util/field-error.ts';
import { createStore, useStore } from '../util/store.ts';
import { HelpLink, helpOf } from './help-link.tsx';

interface Toast {
  id: number;
  text: string;
  isProblem: boolean;
  /** URL of the help section about the problem. `null` if no help section exists. */
  help: string | null;
}

const MOST = 3;
const SHOWN_MS = 4_000;
const PROBLEM_SHOWN_MS = 12_000;
/**
 * Delay in milliseconds before the page tries again to hide a toast. While the user points at a toast or focuses it,
 * the toast stays visible.
 */
const AGAIN_MS = 1_000;

let last = 0;
const toasts = createStore<readonly Toast[]>([]);
let region: HTMLElement | null = null;

/**
 * Shows a toast about a successful action. Show errors next to the button of the action. If this button disappears, use
 * `sayProblem`.
 */
export function say(text: string): void {
  add(text, false, null);
}

export function sayProblem(error: Error): void {
  add(shownMessage(error), true, helpOf(error));
}

function add(text: string, isProblem: boolean, help: string | null): void {
  last += 1;
  const toast = { id: last, text, isProblem, help };
  toasts.set([toast, ...toasts.get()].slice(0, MOST));
  setTimeout(() => end(toast), isProblem ? PROBLEM_SHOWN_MS : SHOWN_MS);
}

function end(toast: Toast): void {
  if (region?.matches(':hover, :focus-within')) setTimeout(() => end(toast), AGAIN_MS);
  else dismiss(toast);
}

function dismiss({ id }: Toast): void {
  toasts.set(toasts.get().filter((one) => one.id !== id));
}

/**
 * Renders the toasts. This component is in the main JavaScript file, because toasts must also work while the server is
 * unreachable.
 */
export function Toasts({ children }: { children: ReactNode }) {
  const shown = useStore(toasts);
  return (
    <>
      {children}
      <section
        ref={(element) => {
          region = element;
        }}
        aria-label="Notifications"
        className="fixed right-4 bottom-4 z-50 w-[min(24rem,calc(100vw-2rem))]"
      >
        {/* The ARIA live regions always exist, because screen readers ignore a message in a new live region. */}
        <div aria-live="assertive">{shown.filter(({ isProblem }) => isProblem).map(card)}</div>
        <div aria-live="polite">{shown.filter(({ isProblem }) => !isProblem).map(card)}</div>
      </section>
    </>
  );
}

function card(toast: Toast): ReactNode {
  const look = toast.isProblem ? 'border-error bg-error-soft text-error' : 'border-line bg-panel';
  return (
    <div
      key={toast.id}
      className={`mb-2 flex items-start gap-2 rounded-lg border px-3 py-2 text-sm shadow-float ${look}`}
    >
      <p className="min-w-0 flex-1 break-words">
        {toast.text}
        <HelpLink to={toast.help} />
      </p>
      <button
        type="button"
        aria-label="Dismiss"
        onClick={() => dismiss(toast)}
        className="-mr-1.5 grid size-6 shrink-0 place-items-center rounded text-soft hover:text-text"
      >
        <X className="size-3.5" aria-hidden />
      </button>
    </div>
  );
}
