import { Check, Copy } from 'lucide-react';
import { type ReactNode, useState } from 'react';

const SHOWN_MS = 1_500;

/**
 * Copies text to the clipboard. The clipboard API is not available on a page over plain HTTP. On such a page, the text
 * is copied from a temporary text field.
 */
export async function copy(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}

export function CopyButton({
  text,
  label = 'Copy',
  secret = false,
}: {
  text: string;
  label?: string;
  /** Whether the text is a secret. The label of the copy button does not contain a secret. Default: `false`. */
  secret?: boolean;
}) {
  const [copied, setCopied] = useState(false);
  const press = () => {
    void copy(text).then(() => {
      setCopied(true);
      setTimeout(() => setCopied(false), SHOWN_MS);
    });
  };
  return (
    <button
      type="button"
      onClick={press}
      aria-label={copied ? 'Copied' : secret ? label : `${label}: ${text.slice(0, 80)}`}
      title={copied ? 'Copied' : label}
      className="inline-grid size-6 shrink-0 place-items-center rounded text-soft hover:bg-sunken hover:text-text"
    >
      {copied ? <Check className="size-3.5 text-good" aria-hidden /> : <Copy className="size-3.5" aria-hidden />}
    </button>
  );
}

/** Renders an id or an address with a copy button. */
export function Copyable({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1 align-bottom">
      <code className="truncate font-mono text-[0.8125rem]" title={text}>
        {children ?? text}
      </code>
      <CopyButton text={text} />
    </span>
  );
}

/** Renders shell commands, each with a copy button. */
export function Commands({ lines, secret = false }: { lines: readonly string[]; secret?: boolean }) {
  return (
    <div className="flex flex-col gap-1 rounded-md bg-sunken p-2">
      {lines.map((line) => (
        <div key={line} className="flex items-center justify-between gap-2">
          <code className="min-w-0 font-mono text-xs wrap-anywhere whitespace-pre-wrap">{line}</code>
          <CopyButton text={line} label="Copy command" secret={secret} />
        </div>
      ))}
    </div>
  );
}
