import { useAnswer } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { useDatabasePath } from '../../util/params.ts';
import { LogText } from '../logs/log-text.tsx';
import { useReadAgain } from './read-again.ts';

export function DatabaseLogs() {
  const params = useDatabasePath();
  const answer = useAnswer('getDatabaseLogs', { params });
  const lines = linesOf(answer);
  const again = useReadAgain('getDatabaseLogs', params);
  return (
    <Card
      title="Logs"
      description="The newest log lines of the current container, oldest first."
      actions={
        <Button busy={again.busy} onClick={again.read}>
          Refresh
        </Button>
      }
    >
      {lines.length === 0 ? (
        <p className="text-sm text-soft">No log lines yet.</p>
      ) : (
        <section
          aria-label="Log lines"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll this element
          tabIndex={0}
          className="max-h-[60vh] overflow-auto rounded-md bg-sunken p-2.5 font-mono text-xs"
        >
          {lines.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no ids, and the same line may occur twice
            <div key={at} className="break-words whitespace-pre-wrap">
              <LogText line={line} sought="" raw />
            </div>
          ))}
        </section>
      )}
    </Card>
  );
}

function linesOf(answer: unknown): string[] {
  const text = typeof answer === 'string' ? answer : '';
  return text.split('\n').filter((line) => line !== '');
}
