import type { Deployment } from '@davit/api';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { plainOf } from '../logs/ansi.ts';
import { LogText } from '../logs/log-text.tsx';
import '../logs/logs.css';

/** Maximum number of characters that the page shows per output line. The copy button copies the complete line. */
const MOST_SHOWN = 4_000;

/**
 * Shows the last output lines of the release command, or of a replica that failed to start. The colors of the output
 * are kept.
 */
export function DeploymentOutput({ deployment }: { deployment: Deployment }) {
  const { log = [], status } = deployment;
  if (log.length === 0) return null;
  const title = status === 'failed' ? 'Last log lines' : 'Output of the release command';
  return (
    <Card title={title} actions={<CopyButton text={log.map(plainOf).join('\n')} label="Copy lines" />}>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll this element
        tabIndex={0}
        aria-label={title}
        className="log-lines max-h-96 overflow-auto rounded-md bg-sunken p-3 font-mono text-xs"
      >
        {log.map((line, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no ids, and their order never changes
          <div key={n} className="min-h-4 break-words whitespace-pre-wrap">
            <LogText line={line.slice(0, MOST_SHOWN)} sought="" raw />
          </div>
        ))}
      </section>
    </Card>
  );
}
