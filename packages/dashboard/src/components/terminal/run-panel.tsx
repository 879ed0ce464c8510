import type { App } from '@davit/api';
import { useState } from 'react';
import { useForbidden } from '../../layout/me.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Problem } from '../../ui/problem.tsx';
import { errorFor, formErrorOf } from '../../util/field-error.ts';
import { useAppPath } from '../../util/params.ts';
import { wordsOf } from './command-words.ts';
import { RunList } from './run-list.tsx';
import { RunOutput } from './run-output.tsx';
import { RunResult } from './run-status.tsx';
import { useRun } from './use-run.ts';

const USUAL_TIMEOUT_S = '600';

/**
 * Renders a form that runs a command in a new container with the app's live release. Earlier command runs are listed
 * below the form.
 */
export function RunPanel({ app }: { app: App }) {
  return (
    <div className="flex flex-col gap-5">
      <Card
        title="Run a command"
        description="The command runs in a new container with the image, variables and volumes of the live release. Davit stores the arguments of the command, so pass secrets as variables."
      >
        <RunForm app={app} />
      </Card>
      <Card title="Earlier runs">
        <RunList />
      </Card>
    </div>
  );
}

function RunForm({ app }: { app: App }) {
  const path = useAppPath();
  const forbidden = useForbidden('operate');
  const [text, setText] = useState('');
  const [timeout, setTimeout] = useState(USUAL_TIMEOUT_S);
  const running = useRun(path);
  const command = wordsOf(text);
  const never = app.live_deployment === null ? 'This app was never deployed. Deploy the app first.' : null;
  const missing = command?.length ? null : 'Enter a command, and close all quotes.';
  const why = forbidden ?? never ?? missing;
  return (
    <div className="flex flex-col gap-4">
      <Form
        disabledBecause={why}
        busy={running.isRunning}
        error={running.error}
        onEdit={running.clearError}
        onSubmit={() => command && running.start(command, Number(timeout))}
        className="flex flex-wrap items-start gap-3"
      >
        <TextField
          className="min-w-0 flex-1 basis-72"
          label="Command"
          mono
          placeholder="npm run migrate"
          hint="A program and its arguments. For pipes and variables: sh -c '…'"
          value={text}
          onChange={(event) => setText(event.target.value)}
          error={errorFor(running.error, 'command')}
        />
        <TextField
          className="w-36"
          label="Timeout"
          note="seconds"
          type="number"
          min={1}
          max={86_400}
          value={timeout}
          onChange={(event) => setTimeout(event.target.value)}
          error={errorFor(running.error, 'timeout_s')}
        />
        <div className="flex gap-2 pt-6">
          <Button
            type="submit"
            kind="primary"
            busy={running.isRunning}
            disabledBecause={running.isRunning ? null : why}
          >
            Run command
          </Button>
          {running.isRunning && <Button onClick={running.stop}>End run</Button>}
        </div>
      </Form>
      <RunShown running={running} />
    </div>
  );
}

function RunShown({ running: { isRunning, lines, run, error } }: { running: ReturnType<typeof useRun> }) {
  const formError = formErrorOf(error, ['command', 'timeout_s']);
  return (
    <>
      {formError && <Problem error={formError} />}
      {lines.length > 0 && <RunOutput label="Output of the command" lines={lines} />}
      <div role="status" className="text-sm">
        {isRunning && lines.length === 0 && <span className="text-soft">No output yet.</span>}
        {run && <RunResult run={run} />}
        {run?.status === 'succeeded' && <span className="text-soft"> · exit code {run.exit_code}</span>}
        {run?.error && <span className="text-soft"> · {run.error}</span>}
      </div>
    </>
  );
}
