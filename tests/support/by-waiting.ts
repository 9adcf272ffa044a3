import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that mostly wait for programs, jobs or mail, and the longest ones: other files run beside them, and nothing
 * long is left for the end, when one core would be idle.
 */
const first = [
  /\/tests\/(program|torture)\//,
  /\/tests\/http\/(bad-input|mail-outage|load|whole-site|machines|staff-sign-in|staff-course-dates)\.test\./,
];

const rank = ({ moduleId }: TestSpecification) => (first.some((pattern) => pattern.test(moduleId)) ? 0 : 1);

/** The order of vitest, in which a project follows the other, and within a project first what waits. */
export class ByWaiting extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    const place = (spec: TestSpecification) => 2 * projects.indexOf(spec.project.name) + rank(spec);
    return sorted.toSorted((a, b) => place(a) - place(b));
  }
}
