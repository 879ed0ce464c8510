import type { App } from '@davit/api';
import { ClipboardPaste, Copy, Eraser } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useForbidden } from '../../layout/me.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Empty } from '../../ui/card.tsx';
import { CompactSelect } from '../../ui/compact-select.tsx';
import { Commands, copy } from '../../ui/copy.tsx';
import { say } from '../../ui/toast.tsx';
import { useAppPath, useSearchText } from '../../util/params.ts';
import '../logs/logs.css';
import { Form } from '../../ui/form.tsx';
import { wordsOf } from './command-words.ts';
import type { ShellEnd } from './shell-connection.ts';
import { type ShellSession, useShell } from './use-shell.ts';

const PROGRAMS = [
  { value: '', label: 'sh' },
  { value: '/bin/bash', label: 'bash' },
  { value: 'own', label: 'Custom…' },
];

export function ShellPanel({ app }: { app: App }) {
  const forbidden = useForbidden('operate');
  const none = whyNone(app);
  // Keep the terminal visible after the replica has stopped, so that the user can read the last output of the terminal.
  const [wasThere, setWasThere] = useState(none === null);
  if (none === null && !wasThere) setWasThere(true);
  const why = forbidden ?? (wasThere ? null : none);
  if (why !== null) return <NoShell app={app} why={why} isForbidden={forbidden !== null} />;
  return <Shell app={app} />;
}

/**
 * Returns the reason why no terminal can be opened for an app, for example because no replica is running. Returns
 * `null` if a replica is available.
 */
function whyNone({ status, live_deployment, replicas }: App): string | null {
  if (live_deployment === null) return 'This app was never deployed. Deploy the app first.';
  if (status === 'stopped') return 'The app is stopped. Start the app to open a terminal.';
  return replicas.length === 0
    ? 'The app has no running replica. Deploy the app, or look for the cause in the logs.'
    : null;
}

/** Returns the `davit` command that starts a replica of the app. */
function wayToOne({ reference, status, live_deployment, tag }: App): string {
  if (status === 'stopped') return `davit app start ${reference}`;
  // The command `davit deploy` needs no tag if the app has a live release.
  return live_deployment === null ? `davit deploy ${reference} --tag ${tag ?? 'v1'}` : `davit deploy ${reference}`;
}

function NoShell({ app, why, isForbidden }: { app: App; why: string; isForbidden: boolean }) {
  return (
    <Empty title="Cannot open a terminal">
      <p>{why}</p>
      {!isForbidden && <Commands lines={[wayToOne(app)]} />}
    </Empty>
  );
}

function Shell({ app }: { app: App }) {
  const path = useAppPath();
  const [replica, setReplica] = useSearchText('replica');
  const [program, setProgram] = useSearchText('program');
  const box = useRef<HTMLDivElement>(null);
  const command = wordsOf(program ?? '/bin/sh');
  const shell = useShell(box, path, { replica, command: command?.length ? command : ['/bin/sh'] });
  return (
    <section
      aria-label="Terminal"
      className="flex flex-col overflow-hidden rounded-xl border border-line bg-panel shadow-panel"
    >
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2">
        <CompactSelect
          label="Replica"
          value={replica ?? ''}
          onChange={(value) => setReplica(value || null)}
          options={[
            { value: '', label: 'Any replica' },
            ...app.replicas.map(({ name, state }) => ({ value: name, label: `${name} · ${state}` })),
          ]}
        />
        <Program key={program} program={program ?? ''} set={setProgram} />
        <ShellTools shell={shell} />
      </div>
      <div className="log-lines relative h-[max(18rem,calc(100dvh-25rem))] p-2">
        <div ref={box} className="h-full w-full overflow-hidden" />
      </div>
      <ShellStatus shell={shell} />
    </section>
  );
}

function Program({ program, set }: { program: string; set: (program: string | null) => void }) {
  const isUsual = PROGRAMS.some(({ value }) => value === program);
  const [isOwn, setOwn] = useState(!isUsual);
  const [text, setText] = useState(isUsual ? '' : program);
  const missing = wordsOf(text)?.length ? null : 'Enter a command. Each opening quote needs a closing quote.';
  return (
    <>
      <CompactSelect
        label="Program"
        value={isOwn ? 'own' : program}
        options={PROGRAMS}
        onChange={(value) => {
          setOwn(value === 'own');
          if (value !== 'own') set(value || null);
        }}
      />
      {isOwn && (
        <Form disabledBecause={missing} onSubmit={() => set(text)} className="flex gap-1">
          <input
            aria-label="Program and its arguments"
            placeholder="/usr/bin/psql -l"
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
            className="min-h-8 w-48 rounded-md border border-edge/70 bg-panel px-2 font-mono text-xs placeholder:text-soft"
          />
          <Button type="submit" className="min-h-8! px-2 text-xs" disabledBecause={missing}>
            Open terminal
          </Button>
        </Form>
      )}
    </>
  );
}

function ShellTools({ shell: { screen } }: { shell: ShellSession }) {
  const paste = () => void navigator.clipboard.readText().then((text) => screen?.paste(text));
  const copySelected = () => {
    const text = screen?.selected() ?? '';
    if (text !== '') void copy(text).then(() => say('Copied the selection.'));
    else say('Select text in the terminal first.');
  };
  return (
    <div className="ml-auto flex gap-1">
      <IconButton label="Copy selection" onClick={copySelected}>
        <Copy className="size-4" aria-hidden />
      </IconButton>
      <IconButton
        label="Paste"
        onClick={paste}
        disabledBecause={
          'clipboard' in navigator ? null : 'This button works only over HTTPS. Paste with the keyboard instead.'
        }
      >
        <ClipboardPaste className="size-4" aria-hidden />
      </IconButton>
      <IconButton label="Clear terminal" onClick={() => screen?.clear()}>
        <Eraser className="size-4" aria-hidden />
      </IconButton>
    </div>
  );
}

function ShellStatus({ shell: { state, end, again } }: { shell: ShellSession }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (state === 'over') button.current?.focus();
  }, [state]);
  return (
    <div className="flex min-h-11 flex-wrap items-center justify-between gap-3 border-t border-line px-3 py-1.5 text-sm">
      <p role="status" className="flex min-w-0 items-center gap-2">
        <span
          aria-hidden
          className={`size-2 shrink-0 rounded-full ${state === 'open' ? 'bg-good' : state === 'over' ? 'bg-error' : 'bg-accent motion-safe:animate-pulse'}`}
        />
        <span className={state === 'over' ? 'text-text' : 'text-soft'}>
          {state === 'open'
            ? 'Connected. If you leave this page, the program in the terminal ends.'
            : end === null
              ? 'Connecting…'
              : endWords(end)}
        </span>
      </p>
      {state === 'over' && (
        <Button ref={button} kind="primary" onClick={again}>
          Reconnect
        </Button>
      )}
    </div>
  );
}

function endWords(end: ShellEnd): string {
  if (end.kind === 'exit') return `Not connected: the program ended with exit code ${end.code}.`;
  return `Not connected: ${end.message}`;
}
