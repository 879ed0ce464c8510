import { Eye, EyeOff } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import type { Entry } from './changes.ts';

/**
 * Renders the value of an environment variable in one line. A secret value is masked until the user reveals it. The
 * server does not send values that the user may not read.
 */
export function Value({ name, entry, struck = false }: { name: string; entry: Entry; struck?: boolean }) {
  const [shown, setShown] = useState(false);
  const { value, secret } = entry;
  if (value === null) return <Soft>hidden from your role</Soft>;
  const visible = !secret || shown;
  return (
    <span className="flex min-w-0 items-center gap-1">
      <code
        className={`min-w-0 font-mono text-[0.8125rem] ${shown ? 'break-all whitespace-pre-wrap' : 'truncate'} ${struck ? 'line-through decoration-soft' : ''}`}
        title={visible ? value : undefined}
      >
        {visible ? oneLine(value, shown) : <Masked />}
      </code>
      {secret && (
        <IconButton
          label={shown ? `Hide ${name}` : `Reveal ${name}`}
          className="min-h-6 px-1"
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        >
          {shown ? <EyeOff className="size-3.5" aria-hidden /> : <Eye className="size-3.5" aria-hidden />}
        </IconButton>
      )}
      {value !== '' && !struck && <CopyButton text={value} label={`Copy ${name}`} secret />}
    </span>
  );
}

function oneLine(value: string, whole: boolean): ReactNode {
  if (value === '') return <Soft>empty</Soft>;
  if (whole || !value.includes('\n')) return value;
  return (
    <>
      {value.slice(0, value.indexOf('\n'))} <Soft>… {value.split('\n').length} lines</Soft>
    </>
  );
}

export function Masked() {
  return (
    <>
      <span aria-hidden>••••••••</span>
      <span className="sr-only">masked</span>
    </>
  );
}

export function Soft({ children }: { children: ReactNode }) {
  return <span className="font-sans text-xs text-soft italic">{children}</span>;
}
