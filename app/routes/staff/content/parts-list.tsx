import { type FormField, faultsIn, partId, partsOf } from '#app/features/content/form/field.ts';

type Props = {
  fields: readonly FormField[];
  /** Names of controls with a fault. */
  faulty: readonly string[];
  /** Below one another beside the form, as the steps of a record that is new, where there is room. */
  asSteps?: boolean;
};

/** Links to the parts of a long form, each with the number of its faults. It stays in view. */
export function PartsList({ fields, faulty, asSteps = false }: Props) {
  const parts = partsOf(fields).filter(({ title }) => title !== '');
  if (parts.length < 2) return null;
  return (
    <nav
      aria-label="Parts of the form"
      className={`sticky top-0 z-10 mb-5 overflow-x-auto border-b border-rule bg-paper ${asSteps ? 'xl:top-16 xl:mb-0 xl:w-44 xl:shrink-0 xl:border-0' : ''}`}
    >
      <ul className={`flex gap-1 ${asSteps ? 'xl:grid xl:gap-0' : ''}`}>
        {parts.map((part, at) => {
          const count = faultsIn(part, faulty);
          return (
            <li key={part.title}>
              <a
                href={`#${partId(part.title)}`}
                className={`flex h-10 items-center gap-1.5 px-2.5 text-sm font-medium whitespace-nowrap text-link hover:underline focus-visible:-outline-offset-2 ${at === 0 ? '-ml-2.5' : ''} ${asSteps ? 'xl:ml-0 xl:px-0 xl:whitespace-normal' : ''}`}
              >
                {part.title}
                {count > 0 && (
                  <span className="rounded-full bg-fault-tint px-1.5 font-semibold text-fault">
                    {count}
                    <span className="sr-only"> {count === 1 ? 'fault' : 'faults'}</span>
                  </span>
                )}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
