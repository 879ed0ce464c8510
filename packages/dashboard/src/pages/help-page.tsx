import { HelpFrame } from '../components/help/help-frame.tsx';
import { HelpView } from '../components/help/help-view.tsx';
import { helpPage, loadHelp } from '../components/help/pages.ts';
import type { LoadArgs } from '../load-args.ts';
import { useName } from '../util/params.ts';

export function load({ params }: LoadArgs<{ page: string }>): Promise<void> {
  return loadHelp(params.page);
}

export function Page() {
  const name = useName('page');
  const page = helpPage(name);
  return (
    <HelpFrame title={page?.title ?? 'Page not found'} here={name}>
      {page === null ? <NoPage /> : <HelpView path={page.path} text={page.text} />}
    </HelpFrame>
  );
}

function NoPage() {
  return (
    <>
      <h1 tabIndex={-1} className="text-xl outline-none">
        Page not found
      </h1>
      <p className="text-sm text-soft">This help page does not exist in this version of Davit.</p>
    </>
  );
}
