import type { User } from '@davit/api';
import { Link } from '@tanstack/react-router';
import { useAnswer } from '../../api.ts';
import { useMe } from '../../layout/me.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Deed } from '../../ui/deed.tsx';
import { useSearchText } from '../../util/params.ts';
import { BlockUser } from './block-user.tsx';
import { DeleteUser } from './delete-user.tsx';
import { ResetPassword } from './reset-password.tsx';
import { whyLastAdmin } from './rights.ts';

const OWN_PASSWORD = 'This is your own password. Change it on your account page.';

/**
 * Renders buttons that block a user, reset the user's password, or delete the user. The query parameter `?do=` opens
 * the dialog of a button, for example `?do=block`.
 */
export function AccessCard({ user }: { user: User }) {
  const { username, blocked } = user;
  const isMe = useMe().username === username;
  const users = useAnswer('listUsers');
  const [open, setOpen] = useSearchText('do');
  const close = () => setOpen(null);
  return (
    <Card title="Access">
      <div className="flex flex-col divide-y divide-line">
        <Deed
          title="Password"
          says={
            isMe ? (
              <>
                Change your own password on your{' '}
                <Link to={paths.account()} className="text-accent underline">
                  account page
                </Link>
                .
              </>
            ) : (
              'If you set a new password, all sessions end and all connected OAuth clients lose access. API keys still work.'
            )
          }
        >
          <Button disabledBecause={isMe ? OWN_PASSWORD : null} onClick={() => setOpen('password')}>
            Reset password…
          </Button>
        </Deed>
        <Deed
          title={blocked ? 'Blocked' : 'Not blocked'}
          says={
            blocked
              ? 'The user cannot sign in or use API keys until you unblock the user.'
              : 'If you block the user, all sessions end and all connected OAuth clients lose access. The user cannot sign in or use API keys until you unblock the user.'
          }
        >
          <Button
            disabledBecause={blocked ? null : whyLastAdmin(user, users, { ...user, blocked: true })}
            onClick={() => setOpen('block')}
          >
            {blocked ? 'Unblock…' : 'Block…'}
          </Button>
        </Deed>
        <Deed
          title="Delete"
          says="Deletes the user with all sessions, API keys and connected OAuth clients. The audit log still contains the actions of the user."
        >
          <Button kind="danger" disabledBecause={whyLastAdmin(user, users, null)} onClick={() => setOpen('delete')}>
            Delete…
          </Button>
        </Deed>
      </div>
      {open === 'password' && !isMe && <ResetPassword user={user} onClose={close} />}
      {open === 'block' && <BlockUser user={user} isMe={isMe} onClose={close} />}
      {open === 'delete' && <DeleteUser user={user} isMe={isMe} onClose={close} />}
    </Card>
  );
}
