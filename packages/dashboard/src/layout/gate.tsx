import { type ReactNode, useEffect } from 'react';

/** Renders the page frame for users who are not signed in. The content is in a card in the center of the page. */
export function Gate({
  title,
  lead,
  children,
  wide = false,
}: {
  title: string;
  lead: ReactNode;
  children: ReactNode;
  wide?: boolean;
}) {
  useEffect(() => {
    document.title = `${title} · Davit`;
  }, [title]);
  return (
    <main className="grid min-h-dvh items-start justify-items-center px-4 py-[8vh]">
      <div className={`w-full ${wide ? 'max-w-xl' : 'max-w-sm'}`}>
        <img src="/icon.svg" alt="" width={40} height={40} className="mx-auto mb-4" />
        <h1 tabIndex={-1} className="text-center text-xl outline-none">
          {title}
        </h1>
        <p className="mt-1.5 mb-6 text-center text-sm text-pretty text-soft">{lead}</p>
        <div className="rounded-xl border border-line bg-panel p-5 shadow-panel">{children}</div>
      </div>
    </main>
  );
}
