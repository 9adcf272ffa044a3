import { type Demonstration, demonstrations } from './demonstrations.ts';
import { QuestDemo } from './quest-demo.tsx';

/** One demonstration by its id; apart, so that its texts are fetched only when it is opened. */
export function QuestDemoOf({ id }: Pick<Demonstration, 'id'>) {
  const demonstration = demonstrations.find((one) => one.id === id);
  return demonstration ? <QuestDemo steps={demonstration.steps} /> : null;
}
