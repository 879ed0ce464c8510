import { Missing } from './dead-end.tsx';

export function NotFound() {
  return <Missing title="Page not found" reason="There is no page at this address" />;
}
