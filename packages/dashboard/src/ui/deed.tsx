import type { ReactNode } from 'react';

/** Renders a row with the title, the description and the button of an action. */
export function Deed({ title, says, children }: { title: string; says: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 py-4 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-64">
        <h3 className="text-sm">{title}</h3>
        <p className="text-sm text-soft">{says}</p>
      </div>
      {children}
    </div>
  );
}
