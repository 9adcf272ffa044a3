import type { ReactNode } from 'react';
import { BowerPicture } from './bower-picture.tsx';

type Props = {
  title: string;
  lead: ReactNode;
  straws: string;
  treasures: string;
  /** A sentence below the figures when one straw is two hours. */
  hoursPerStraw: number;
  picture: { wide: string; tall: string; sentence: string };
};

/** A bower with its title and figures: the drawing is wide beside them, below them on a phone. */
export function BowerHead({ title, lead, straws, treasures, hoursPerStraw, picture }: Props) {
  return (
    <div className="on-satin overflow-hidden bg-satin text-on-satin">
      <div className="page relative">
        <div className="pt-10 md:absolute md:top-12 md:max-w-80 md:pt-0 xl:max-w-96">
          <h1 className="text-4xl text-balance wrap-anywhere sm:text-5xl">{title}</h1>
          <div className="mt-3 text-on-satin-mute">{lead}</div>
          <p className="mt-5 font-display text-2xl font-bold lg:text-4xl">
            <span className="mr-6 inline-block md:mr-0 md:block">{straws}</span>
            <span className="inline-block md:block">{treasures}</span>
          </p>
          {hoursPerStraw > 1 && (
            <p className="mt-2 text-sm text-on-satin-mute">Each straw is {hoursPerStraw} hours, for there are many.</p>
          )}
        </div>
        <BowerPicture {...picture} />
      </div>
    </div>
  );
}
