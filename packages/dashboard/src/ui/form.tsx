import type { ComponentProps } from 'react';

/** Renders a form that ignores submits while its button is disabled or a request is in progress. */
export function Form({
  disabledBecause = null,
  busy = false,
  onSubmit,
  ...form
}: Omit<ComponentProps<'form'>, 'onSubmit'> & {
  /** Message about what the user must do before the form can be submitted, or `null`. */
  disabledBecause?: string | null;
  busy?: boolean;
  onSubmit: (form: HTMLFormElement) => void;
}) {
  return (
    <form
      {...form}
      onSubmit={(event) => {
        event.preventDefault();
        if (disabledBecause === null && !busy) onSubmit(event.currentTarget);
      }}
    />
  );
}
