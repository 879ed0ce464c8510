import { Link, type LinkProps } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { WithReason } from './reason.tsx';
import { Spinner } from './spinner.tsx';

export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger';

const KINDS: Record<ButtonKind, string> = {
  primary: 'border-accent bg-accent text-on-accent hover:bg-accent-strong hover:border-accent-strong',
  plain: 'border-edge/60 bg-panel text-text hover:border-edge hover:bg-sunken',
  quiet: 'border-transparent text-soft hover:text-text hover:bg-sunken',
  danger: 'border-error bg-error text-on-error hover:bg-error-strong hover:border-error-strong',
};

const SHAPE =
  'inline-flex items-center justify-center gap-1.5 rounded-md border px-3 min-h-9 text-sm font-medium whitespace-nowrap select-none transition-colors aria-disabled:opacity-55 aria-disabled:pointer-events-auto';

export function buttonClass(kind: ButtonKind = 'plain', more = ''): string {
  return `${SHAPE} ${KINDS[kind]} ${more}`;
}

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'> {
  kind?: ButtonKind;
  /** Whether the action of the button is in progress. The button then shows a spinner and ignores clicks. */
  busy?: boolean;
  /** Reason why the button is disabled, or `null` if it is enabled. A tooltip shows the reason. */
  disabledBecause?: string | null;
}

export function Button({
  kind,
  busy = false,
  disabledBecause = null,
  className,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const isOff = busy || disabledBecause !== null;
  const button = (
    <button
      type="button"
      {...rest}
      className={buttonClass(kind, className)}
      aria-disabled={isOff || rest['aria-disabled'] || undefined}
      aria-busy={busy || undefined}
      onClick={isOff ? (event) => event.preventDefault() : onClick}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
  return disabledBecause === null ? button : <WithReason reason={disabledBecause}>{button}</WithReason>;
}

/**
 * Renders a button that shows only an icon. Screen readers read the label, and a tooltip shows it. If the button is
 * disabled, the tooltip shows the reason.
 */
export function IconButton({
  label,
  children,
  disabledBecause = null,
  onClick,
  ...rest
}: ButtonProps & { label: string; children: ReactNode }) {
  const isOff = disabledBecause !== null;
  return (
    <WithReason reason={disabledBecause ?? label}>
      <Button
        kind="quiet"
        {...rest}
        aria-label={label}
        aria-disabled={isOff || undefined}
        onClick={isOff ? (event) => event.preventDefault() : onClick}
        className={`px-2 ${rest.className ?? ''}`}
      >
        {children}
      </Button>
    </WithReason>
  );
}

/** Renders a link that looks like a button. Use this component for navigation, not for actions. */
export function ButtonLink({
  kind,
  className,
  ...rest
}: Omit<LinkProps, 'to'> & { to: string; kind?: ButtonKind; className?: string }) {
  return <Link {...rest} className={buttonClass(kind, className)} />;
}
