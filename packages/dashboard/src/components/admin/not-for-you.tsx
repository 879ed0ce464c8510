import { Empty } from '../../ui/card.tsx';

export function NotForYou({ what, reason }: { what: string; reason: string }) {
  return (
    <Empty title={`You cannot see ${what}`}>
      <p>{reason}</p>
      <p>Ask an admin of this instance for access.</p>
    </Empty>
  );
}
