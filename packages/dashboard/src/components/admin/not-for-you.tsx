import { Empty } from '../../ui/card.tsx';

/** Renders a page that the user may not see, with the reason and the advice to ask an admin. */
export function NotForYou({ what, reason }: { what: string; reason: string }) {
  return (
    <Empty title={`You cannot see ${what}`}>
      <p>{reason}</p>
      <p>Ask an admin of this instance for access.</p>
    </Empty>
  );
}
