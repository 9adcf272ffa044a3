import type { Db } from '#app/db/client.server.ts';
import type { Snapshot } from '#app/features/snapshot/snapshot.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { formatMonth } from '#app/lib/dates.ts';
import type { BowerFacts } from '#app/ui/bower/scene.ts';
import type { DrawnTreasure } from '#app/ui/bower/treasure-mark.tsx';
import { treasureOf } from '#app/ui/treasure-art.ts';
import { bowerFacts, bowerFigures, bowerSentence, figuresInWords } from './facts.ts';
import { type ReadBower, readBower } from './records.server.ts';

/** A treasure with its certificate. */
export type ShelfItem = {
  slug: string;
  title: string;
  treasure: DrawnTreasure;
  /** `September 2025` */
  finished: string;
  /** Milliseconds of the moment of its certificate. */
  issued: number;
  number: string;
};

/** A bower as a page shows it. */
export type ShownBower = {
  facts: BowerFacts;
  sentence: string;
  straws: string;
  treasures: string;
  hoursPerStraw: number;
  shelf: ShelfItem[];
  records: ReadBower;
};

/** Reads a person's bower and puts it into words. */
export async function showBowerOf(db: Db, personId: number, snapshot: Snapshot): Promise<ShownBower> {
  const records = await readBower(db, personId, snapshot);
  const facts = bowerFacts(records, snapshot, `player ${personId}`);
  const { straws, treasures } = figuresInWords(facts);
  return {
    facts,
    records,
    straws,
    treasures,
    sentence: bowerSentence(facts),
    hoursPerStraw: bowerFigures(facts).hoursPerStraw,
    shelf: records.finished.flatMap(({ slug, title, number, issuedAt }, at) => {
      const treasure = facts.treasures[at];
      return treasure
        ? [
            {
              slug,
              title,
              number,
              treasure: treasureOf(treasure),
              finished: monthOf(issuedAt),
              issued: issuedAt.getTime(),
            },
          ]
        : [];
    }),
  };
}

/** `September 2025`, in Brisbane. */
const monthOf = (at: Date) => formatMonth(academyDay(at).slice(0, 7));
