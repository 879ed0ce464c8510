import { Attachments } from './attachments.tsx';
import { Connection } from './connection.tsx';
import { FromOutside } from './from-outside.tsx';

export function DatabaseOverview() {
  return (
    <div className="grid grid-cols-1 gap-3 lg:grid-cols-2">
      <Connection />
      <div className="flex flex-col gap-3">
        <Attachments />
        <FromOutside />
      </div>
    </div>
  );
}
