import { type ClipboardEvent, type KeyboardEvent, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { CheckField, TextArea, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import type { Entry } from './changes.ts';
import { newNameProblem } from './new-name.ts';

const SECRET_HINT = 'Viewers see the name but not the value.';

function rowsFor(value: string): number {
  return Math.min(Math.max(value.split('\n').length, 1), 12);
}

/**
 * Submits the form when the user presses Enter, because most values have one line. Shift+Enter inserts a line break.
 */
function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

/** Renders the form that changes the value of an environment variable within its table row. */
export function ValueForm({
  name,
  entry,
  onDone,
  onCancel,
}: {
  name: string;
  entry: Entry;
  onDone: (entry: Entry) => void;
  onCancel: () => void;
}) {
  const [value, setValue] = useState(entry.value ?? '');
  const [secret, setSecret] = useState(entry.secret);
  return (
    <Form
      onSubmit={() => onDone({ value, secret })}
      onKeyDown={(event) => event.key === 'Escape' && onCancel()}
      className="flex flex-col gap-3 rounded-md bg-sunken p-3"
    >
      <TextArea
        label={`Value of ${name}`}
        hint="Press Enter to apply the value, or Shift+Enter to add a line."
        mono
        autoFocus
        rows={rowsFor(value)}
        value={value}
        onChange={(event) => setValue(event.target.value)}
        onKeyDown={submitOnEnter}
      />
      <CheckField
        label="Secret"
        hint={SECRET_HINT}
        checked={secret}
        onChange={(event) => setSecret(event.target.checked)}
      />
      <div className="flex gap-2">
        <Button type="submit">Apply</Button>
        <Button kind="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </Form>
  );
}

/**
 * Renders the form for a new environment variable. If the user pastes several lines into the name field, the import
 * dialog for `.env` files opens.
 */
export function AddForm({
  taken,
  onAdd,
  onPaste,
  onClose,
}: {
  /**
   * Returns whether the project, environment or app has its own variable with this name. Inherited variables are
   * ignored.
   */
  taken: (key: string) => boolean;
  onAdd: (key: string, entry: Entry) => void;
  onPaste: (text: string) => void;
  onClose: () => void;
}) {
  const [key, setKey] = useState('');
  const [value, setValue] = useState('');
  const [secret, setSecret] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const submit = (form: HTMLFormElement) => {
    const why = newNameProblem(key, taken);
    setError(why);
    if (why !== null) return;
    onAdd(key, { value, secret });
    setKey('');
    setValue('');
    setSecret(false);
    form.querySelector('input')?.focus();
  };
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text');
    if (!/[=\n]/.test(text)) return;
    event.preventDefault();
    onPaste(text);
  };
  return (
    <Form
      onSubmit={submit}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
      className="grid items-start gap-3 rounded-md bg-sunken p-3 md:grid-cols-[minmax(12rem,1fr)_2fr]"
    >
      <TextField
        label="Name"
        mono
        autoFocus
        value={key}
        error={error}
        placeholder="DATABASE_URL"
        onPaste={paste}
        onChange={(event) => setKey(event.target.value)}
      />
      <TextArea
        label="Value"
        mono
        rows={rowsFor(value)}
        value={value}
        onChange={(event) => setValue(event.target.value)}
        onKeyDown={submitOnEnter}
      />
      <CheckField
        label="Secret"
        hint={SECRET_HINT}
        checked={secret}
        onChange={(event) => setSecret(event.target.checked)}
      />
      <div className="flex items-center gap-2 md:justify-end">
        <Button kind="quiet" onClick={onClose}>
          Close
        </Button>
        <Button type="submit">Add</Button>
      </div>
    </Form>
  );
}
