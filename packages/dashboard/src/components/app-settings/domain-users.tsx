import { X } from 'lucide-react';
import { Button, IconButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import type { DomainDraft } from './domain-draft.ts';

/** Who may enter a domain, by name and password; passwords are not answered, so that only new ones are typed. */
export function DomainUsers({
  users,
  onChange,
  error,
}: {
  users: DomainDraft['users'];
  onChange: (users: DomainDraft['users']) => void;
  error: string | null;
}) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">Who may enter with a password</legend>
      {users.length === 0 && <p className="text-xs text-soft">Everybody may enter.</p>}
      {users.map((user, at) => {
        const put = (change: Partial<typeof user>) =>
          onChange(users.map((one, i) => (i === at ? { ...one, ...change } : one)));
        return (
          // A user is told by his place while his name is being typed.
          // biome-ignore lint/suspicious/noArrayIndexKey: it is all that stays
          <div key={at} className="grid grid-cols-[1fr_1fr_auto] items-end gap-2">
            <TextField
              label={`Name ${at + 1}`}
              mono
              readOnly={user.isThere}
              value={user.name}
              onChange={(event) => put({ name: event.target.value })}
            />
            <TextField
              label={`Password ${at + 1}`}
              type="password"
              autoComplete="new-password"
              placeholder={user.isThere ? 'as it is' : ''}
              value={user.password}
              onChange={(event) => put({ password: event.target.value })}
            />
            <IconButton
              label={`Remove ${user.name || 'this user'}`}
              onClick={() => onChange(users.filter((_, i) => i !== at))}
            >
              <X className="size-4" aria-hidden />
            </IconButton>
          </div>
        );
      })}
      {error && (
        <p role="alert" className="text-xs text-error">
          {error}
        </p>
      )}
      <div>
        <Button onClick={() => onChange([...users, { name: '', password: '', isThere: false }])}>Add a user</Button>
      </div>
    </fieldset>
  );
}
