import { TextField } from '../../ui/field.tsx';
import { RadioGroup } from '../../ui/radio.tsx';

export interface PasswordDraft {
  how: 'generate' | 'give';
  text: string;
}

const CHOICES = [
  { value: 'generate', label: 'Generate a password', hint: 'The generated password is shown once.' },
  { value: 'give', label: 'Set a password' },
] as const;

export function passwordIsMissing({ how, text }: PasswordDraft): string | null {
  return how === 'give' && text === '' ? 'Enter a password first.' : null;
}

/** Renders a choice between a password that the server generates and a password that the admin types. */
export function PasswordChoice({
  draft,
  onChange,
  error,
}: {
  draft: PasswordDraft;
  onChange: (draft: PasswordDraft) => void;
  error: string | null;
}) {
  return (
    <div className="flex flex-col gap-2">
      <RadioGroup
        label="Password"
        choices={CHOICES}
        value={draft.how}
        onChange={(how) => onChange({ how, text: '' })}
        error={draft.how === 'generate' ? error : null}
      />
      {draft.how === 'give' && (
        <TextField
          className="ml-6"
          label="New password"
          type="password"
          autoComplete="new-password"
          hint="At least 12 characters."
          value={draft.text}
          onChange={(event) => onChange({ ...draft, text: event.target.value })}
          error={error}
        />
      )}
    </div>
  );
}
