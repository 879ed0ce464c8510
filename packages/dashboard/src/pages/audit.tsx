import { Page as Frame } from '../layout/page.tsx';

export function Page() {
  return <Frame title="Audit">{null}</Frame>;
}
