import { LogText } from '../logs/log-text.tsx';
import { StreamLabel } from '../logs/stream-label.tsx';
import '../logs/logs.css';

export interface OutputLine {
  stream: 'stdout' | 'stderr';
  line: string;
}

/** Maximum number of characters of an output line that the page shows. Output lines can be very long. */
const MOST_SHOWN = 4_000;

export function RunOutput({ lines, label }: { lines: readonly OutputLine[]; label: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a `section` would be a landmark for screen readers
    <div
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll this element
      tabIndex={0}
      className="log-lines max-h-96 overflow-auto rounded-md border border-line bg-panel p-3 font-mono text-[0.78125rem] leading-[22px]"
    >
      {lines.map(({ stream, line }, at) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: lines are only added at the end, so an index never changes
          key={at}
          dir="ltr"
          className="break-all whitespace-pre-wrap"
        >
          <StreamLabel stream={stream} />
          <LogText line={line.slice(0, MOST_SHOWN)} sought="" raw />
          {line === '' && ' '}
        </div>
      ))}
    </div>
  );
}
