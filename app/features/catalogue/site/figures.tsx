import { href, Link } from 'react-router';
import { TextWithNote } from '#app/ui/text-with-note.tsx';
import { type Claim, claimNote } from './claims.ts';

/** A figure of the register; its source and date open on hover, tap and focus, and are read out (P6). */
export function Figure({ claim }: { claim: Claim }) {
  return <TextWithNote note={claimNote(claim)}>{claim.value}</TextWithNote>;
}

/** The source of the figures beside it, with a link to the whole register. */
export function FiguresSource({ claims }: { claims: Claim[] }) {
  return (
    <p className="mt-5 text-sm text-mute">
      Source: {[...new Set(claims.map(({ source }) => source))].join('; ')}.{' '}
      <Link to={href('/claims')} prefetch="intent" className="font-bold text-link underline underline-offset-4">
        What our own records say
      </Link>
    </p>
  );
}

/** Figures of the register in a row, with their source: nobody should have to take them on trust (P6). */
export function Figures({ claims }: { claims: Claim[] }) {
  if (claims.length === 0) return null;
  return (
    <div>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-6 sm:gap-x-8 lg:grid-cols-4">
        {claims.map((claim) => (
          <div key={claim.wording} className="flex flex-col-reverse justify-end border-l-4 border-straw pl-4">
            <dt className="text-mute">{claim.wording}</dt>
            <dd className="tabular font-display text-3xl font-bold tracking-tight sm:text-4xl">
              <Figure claim={claim} />
            </dd>
          </div>
        ))}
      </dl>
      <FiguresSource claims={claims} />
    </div>
  );
}
