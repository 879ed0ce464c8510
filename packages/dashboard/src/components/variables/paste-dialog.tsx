import { count } from '@davit/api';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { CheckField, TextArea } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Entries, Entry } from './changes.ts';
import { type EnvEntry, readPastedFile } from './env-file.ts';

const PLACEHOLDER = '# Comments are skipped\nDATABASE_URL="postgres://db/shop"\nexport LOG_LEVEL=info';

/**
 * Matches names of environment variables that probably contain a secret. The import dialog marks these variables as
 * secret by default.
 */
const LIKE_SECRET = /(SECRET|TOKEN|PASSWORD|PASSWD|PRIVATE|CREDENTIAL|API_?KEY|_KEY$|_DSN$|DATABASE_URL)/i;

export interface PasteProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  initial: string;
  own: Entries;
  onTake: (entries: ReadonlyMap<string, Entry>) => void;
}

/**
 * Renders the dialog in which the user pastes a `.env` file. The dialog first shows the parsed variables. After a
 * confirmation, the dialog adds the variables to the unsaved changes.
 */
export function PasteDialog({ open, onOpenChange, ...rest }: PasteProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      wide
      title="Import a .env file"
      description="Paste the contents of a .env file. You can review the changes before you save them."
    >
      <PasteForm {...rest} onCancel={() => onOpenChange(false)} />
    </Dialog>
  );
}

function PasteForm({
  initial,
  own,
  onTake,
  onCancel,
}: Omit<PasteProps, 'open' | 'onOpenChange'> & { onCancel: () => void }) {
  const [text, setText] = useState(initial);
  /**
   * Map from the name of a variable to the state of its check box. The map contains only check boxes that the user
   * changed.
   */
  const [ticked, setTicked] = useState<ReadonlyMap<string, boolean>>(new Map());
  const { entries, values } = readPastedFile(text);
  const isSecret = (key: string) => ticked.get(key) ?? own.get(key)?.secret ?? LIKE_SECRET.test(key);
  const nothing = values.size === 0 ? 'The text contains no variables.' : null;
  const refused = entries.filter(({ kind }) => kind === 'refused').length;
  const take = () => onTake(new Map([...values].map(([key, value]) => [key, { value, secret: isSecret(key) }])));
  return (
    <Form disabledBecause={nothing} onSubmit={take}>
      <TextArea
        label="File contents"
        mono
        rows={8}
        autoFocus
        placeholder={PLACEHOLDER}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {refused > 0 && (
        <div className="mt-3">
          <Notice tone="warning">{count(refused, 'line is', 'lines are')} not valid and will be skipped.</Notice>
        </div>
      )}
      {entries.length > 0 && (
        <ul
          aria-label="Variables to import"
          className="mt-3 max-h-[36vh] divide-y divide-line overflow-y-auto border-y border-line text-sm"
        >
          {entries.map((entry) => (
            <Line
              key={entry.line}
              entry={entry}
              own={own}
              isSecret={isSecret}
              onTick={(key, on) => setTicked(new Map(ticked).set(key, on))}
            />
          ))}
        </ul>
      )}
      <Actions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" kind="primary" disabledBecause={nothing}>
          Import {count(values.size, 'variable')}
        </Button>
      </Actions>
    </Form>
  );
}

interface LineProps {
  entry: EnvEntry;
  own: Entries;
  isSecret: (key: string) => boolean;
  onTick: (key: string, on: boolean) => void;
}

function Line({ entry, own, isSecret, onTick }: LineProps) {
  return (
    <li className="flex items-start gap-3 py-1.5">
      <span className="w-8 shrink-0 text-right font-mono text-xs leading-5 text-soft">
        <span className="sr-only">Line </span>
        {entry.line}
      </span>
      {entry.kind === 'refused' ? (
        <p className="min-w-0 text-error">
          <code className="font-mono text-xs break-all">{entry.text}</code>: {entry.why}
        </p>
      ) : (
        <>
          <div className="min-w-0 flex-1">
            <code className={`font-mono text-xs font-medium break-all ${entry.replacedAt ? 'line-through' : ''}`}>
              {entry.key}
            </code>
            <p className="truncate font-mono text-xs text-soft">
              {isSecret(entry.key) ? '••••••••' : entry.value || '(empty)'}
            </p>
            <p className="text-xs text-soft">{whatBecomes(entry, own)}</p>
          </div>
          {entry.replacedAt === undefined && (
            <CheckField
              label={
                <>
                  Secret<span className="sr-only">: {entry.key}</span>
                </>
              }
              checked={isSecret(entry.key)}
              onChange={(event) => onTick(entry.key, event.target.checked)}
            />
          )}
        </>
      )}
    </li>
  );
}

function whatBecomes({ key, value, replacedAt }: Extract<EnvEntry, { kind: 'variable' }>, own: Entries): string {
  if (replacedAt !== undefined) return `skipped: line ${replacedAt} sets the same variable`;
  const lines = value.split('\n').length;
  const size = lines > 1 ? `${lines} lines, ` : '';
  const before = own.get(key);
  if (before === undefined) return `${size}new`;
  return size + (before.value === value ? 'no change' : 'changes the value');
}
