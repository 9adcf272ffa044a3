import { href } from 'react-router';
import type { LookAgain } from '#app/features/content/check/dated-texts.ts';
import { countOpening, type OpeningGroup } from '#app/features/site/opening.ts';
import { ActLink } from '#app/ui/staff/typography.tsx';

type Props = { opening: OpeningGroup[]; again: LookAgain[]; siteId: string };

/** Below the tasks: the owner's tasks before the opening, and texts that are no longer true. */
export function OwnerSections({ opening, again, siteId }: Props) {
  const settings = href('/staff/content/:kind/:id', { kind: 'site', id: siteId });
  return (
    <>
      {again.length > 0 && (
        <section aria-labelledby="look-again" className="min-w-0">
          <h2 id="look-again" className="border-b border-rule pb-1.5 text-lg">
            Texts to look at again: {again.length}
          </h2>
          <ul className="grid gap-2 py-3 text-sm">
            {again.map(({ where, text }) => (
              <li key={`${where} ${text}`} className="wrap-anywhere">
                <b>{where}</b>: {text}
              </li>
            ))}
          </ul>
        </section>
      )}
      {opening.length > 0 && (
        <section aria-labelledby="before-opening" className="min-w-0">
          <h2 id="before-opening" className="border-b border-rule pb-1.5 text-lg">
            Before opening: {countOpening(opening)} to settle
          </h2>
          <div>
            {opening.map(({ title, settle: forAll, kind, items }) => (
              <details key={title} className="border-b border-line py-2">
                <summary className="font-semibold">
                  {title}: {items.length}
                </summary>
                {forAll && <p className="mt-3 text-sm">{forAll}</p>}
                {kind && (
                  <p className="mt-2 text-sm">
                    <ActLink to={href('/staff/content/:kind', { kind })}>Open the list</ActLink>
                  </p>
                )}
                <ul className="mt-3 grid gap-3 text-sm">
                  {items.map(({ id, what, restsOn, settle, field }) => (
                    <li key={id} className="wrap-anywhere">
                      <b>{what}</b>
                      <p className="text-mute">Rests on: {restsOn}</p>
                      {settle && <p className="text-mute">To settle it: {settle}</p>}
                      {field && <ActLink to={`${settings}#v.${field}`}>Open the field</ActLink>}
                    </li>
                  ))}
                </ul>
              </details>
            ))}
          </div>
        </section>
      )}
    </>
  );
}
