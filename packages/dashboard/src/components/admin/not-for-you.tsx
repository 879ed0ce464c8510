import { Empty } from '../../ui/card.tsx';

/** A page of which nothing is shown to who is signed in: why, and who can help. */
export function NotForYou({ what, reason }: { what: string; reason: string }) {
  return (
    <Empty title={`${what} for admins`}>
      <p>{reason}</p>
      <p>Ask an admin of this instance if you need something of it.</p>
    </Empty>
  );
}
