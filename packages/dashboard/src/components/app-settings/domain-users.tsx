import { TextField } from '../../ui/field.tsx';
import { FieldRows } from '../../ui/field-rows.tsx';
import type { DomainDraft } from './domain-draft.ts';

/**
 * Renders the user names and passwords for HTTP basic authentication of a domain. The API does not return passwords,
 * so the fields contain only new passwords.
 */
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
      <legend className="mb-1 text-sm font-medium">Password protection (basic authentication)</legend>
      {users.length === 0 && (
        <p className="text-xs text-soft">No password is required. To require a password, add a user.</p>
      )}
      <FieldRows
        rows={users}
        onChange={onChange}
        grid="grid-cols-[1fr_1fr_auto]"
        nameOf={({ name }) => name || 'this user'}
        add="Add user"
        blank={{ name: '', password: '', isThere: false }}
        error={error}
      >
        {(user, put, number) => (
          <>
            <TextField
              label={`Name ${number}`}
              mono
              readOnly={user.isThere}
              value={user.name}
              onChange={(event) => put({ ...user, name: event.target.value })}
            />
            <TextField
              label={`Password ${number}`}
              type="password"
              autoComplete="new-password"
              placeholder={user.isThere ? 'not changed' : ''}
              value={user.password}
              onChange={(event) => put({ ...user, password: event.target.value })}
            />
          </>
        )}
      </FieldRows>
    </fieldset>
  );
}
