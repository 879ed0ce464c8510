import type { User } from '@davit/api';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAnswer } from '../../api.ts';
import { useMe } from '../../layout/me.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { useSearchText } from '../../util/params.ts';
import { BlockUser } from './block-user.tsx';
import { DeleteUser } from './delete-user.tsx';
import { ResetPassword } from './reset-password.tsx';
import { whyLastAdmin } from './rights.ts';

const OWN_PASSWORD = 'This is your own password: change it on your account page, which asks for the one you have.';

/** Whether a user gets in at all. Each form stands in the address: `?do=block`. */
export function AccessCard({ user }: { user: User }) {
  const { username, blocked } = user;
  const isMe = useMe().username === username;
  const users = useAnswer('listUsers');
  const [open, setOpen] = useSearchText('do');
  const close = () => setOpen(null);
  return (
    <Card title="Access">
      <div className="flex flex-col divide-y divide-line">
        <Row
          title="Password"
          words={
            isMe ? (
              <>
                Yours is changed on your{' '}
                <Link to={paths.account()} className="text-accent underline">
                  account page
                </Link>
                .
              </>
            ) : (
              'A new one ends his sessions and none of his keys.'
            )
          }
        >
          <Button disabledBecause={isMe ? OWN_PASSWORD : null} onClick={() => setOpen('password')}>
            Reset password…
          </Button>
        </Row>
        <Row
          title={blocked ? 'Blocked' : 'Not blocked'}
          words={
            blocked
              ? 'He cannot sign in, and none of his keys works, until he is unblocked.'
              : 'Blocking ends his sessions; he cannot sign in, and his keys do not work until he is unblocked.'
          }
        >
          <Button
            disabledBecause={blocked ? null : whyLastAdmin(user, users, { ...user, blocked: true })}
            onClick={() => setOpen('block')}
          >
            {blocked ? 'Unblock…' : 'Block…'}
          </Button>
        </Row>
        <Row title="Delete" words="With his sessions and keys. What he did stays in the audit log.">
          <Button kind="danger" disabledBecause={whyLastAdmin(user, users, null)} onClick={() => setOpen('delete')}>
            Delete…
          </Button>
        </Row>
      </div>
      {open === 'password' && !isMe && <ResetPassword user={user} onClose={close} />}
      {open === 'block' && <BlockUser user={user} isMe={isMe} onClose={close} />}
      {open === 'delete' && <DeleteUser user={user} isMe={isMe} onClose={close} />}
    </Card>
  );
}

function Row({ title, words, children }: { title: string; words: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-56 text-sm">
        <h3 className="font-medium">{title}</h3>
        <p className="text-soft">{words}</p>
      </div>
      {children}
    </div>
  );
}
