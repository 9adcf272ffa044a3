import type { ReactNode } from 'react';
import type { Permission } from '#app/lib/permission-names.ts';
import type { FormState } from '#app/ui/form-state.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { WhoMay } from './act-form.tsx';
import { Back } from './typography.tsx';

type Props = {
  /** The list it belongs to. */
  back: { to: string; text: string };
  title: string;
  /** The state, as a `Pill`. */
  pill: ReactNode;
  /** A description, in a line. */
  line: ReactNode;
  /** The page's forms as they are shown, with the names of their fields. */
  form: FormState;
  labels: Record<string, string>;
  /** The permission that its forms take. */
  needs: Permission;
  /** The act, in words after “can”. */
  what?: string;
  /** The content before everything else. */
  first?: ReactNode;
  /** The label of the facts beside it, for screen readers. */
  about: string;
  aside: ReactNode;
  children: ReactNode;
};

/** A page of one thing: what happened to it, and beside it its facts and what can be done. */
export function RecordPage({
  back,
  title,
  pill,
  line,
  form,
  labels,
  needs,
  what,
  first,
  about,
  aside,
  children,
}: Props) {
  return (
    <>
      <Back to={back.to}>{back.text}</Back>
      <div className="mb-5 flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h1 className="min-w-0 text-2xl wrap-anywhere">{title}</h1>
        {pill}
        <p className="text-mute">{line}</p>
      </div>
      <WhoMay needs={needs} what={what} />
      <ErrorSummary form={form} labels={labels} formId={`${form.values.act}-form`} />
      {first}
      <div className="grid items-start gap-x-14 gap-y-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 gap-8">{children}</div>
        <aside aria-label={about} className="grid gap-8">
          {aside}
        </aside>
      </div>
    </>
  );
}
