import { HelpFrame } from '../components/help/help-frame.tsx';
import { HelpList } from '../components/help/help-list.tsx';

export function Page() {
  return (
    <HelpFrame title="Help">
      <h1 tabIndex={-1} className="text-xl outline-none">
        Help
      </h1>
      <HelpList className="grid gap-x-8 gap-y-5 sm:grid-cols-2" />
    </HelpFrame>
  );
}
