import { href, Link } from 'react-router';
import type { priceProofs } from './price-proofs.server.ts';

type Props = { prices: ReturnType<typeof priceProofs>; courses: number };

/** The proof of each price that is struck through, and of each saving. */
export function PriceProofs({ prices: { ofBrief, proved, combos }, courses }: Props) {
  return (
    <section id="prices">
      <h2 className="text-3xl">Prices and savings</h2>
      {ofBrief + proved.length > 0 && (
        <p className="mt-4 max-w-prose">
          {ofBrief + proved.length} of {courses} courses show an original price, struck through.
          {ofBrief > 0 &&
            ` ${ofBrief} of these prices come from the academy brief, 2025. We have no record that they were charged, so we state no saving from them.`}
        </p>
      )}
      {proved.length > 0 && (
        <ul aria-label="Original prices and their proof" className="mt-4 grid max-w-prose gap-2">
          {proved.map(({ slug, title, original, proof }) => (
            <li key={slug}>
              <Link
                to={href('/course/:courseId', { courseId: slug })}
                className="font-bold text-link underline underline-offset-4"
              >
                {title}
              </Link>
              , <span className="tabular">{original}</span>. {proof}
            </li>
          ))}
        </ul>
      )}
      <p className="mt-4 max-w-prose">
        A combo’s saving is measured against today’s prices of its courses, bought one by one. These prices do not rise
        while the promotion runs.
      </p>
      {combos.length > 0 && (
        <ul aria-label="Combos and their savings" className="tabular mt-4 grid max-w-prose gap-3">
          {combos.map(({ slug, title, courses: apart, text, since }) => (
            <li key={slug}>
              <b>{title}</b>: {text}.
              <span className="block text-sm text-mute">
                {apart}. These are our prices since {since}.
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
