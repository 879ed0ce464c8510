import { CopyButton } from './copy.tsx';
import { Notice } from './notice.tsx';

/** Renders a secret with a copy button. The server returns this secret only once. */
export function ShownOnce({ label, secret }: { label: string; secret: string }) {
  return (
    <div className="flex flex-col gap-2">
      <Notice tone="warning">Copy this {label} now. Davit will not show it again.</Notice>
      <div className="flex items-center justify-between gap-2 rounded-md bg-sunken p-2.5">
        <code data-shown-once className="min-w-0 font-mono text-sm break-all">
          {secret}
        </code>
        <CopyButton text={secret} label={`Copy ${label}`} secret />
      </div>
    </div>
  );
}
