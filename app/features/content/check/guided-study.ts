import type { CourseContent } from '#app/features/content/course-schema.ts';
import type { CrossFault } from '#app/features/content/faults.ts';

/** Words for things that a person does not have who studies alone, on days of their own. */
const contradictions =
  /\b(?:in (?:mixed )?pairs|each pair|teams of (?:two|three|four|five|six)|classmates?|in class|(?:after|before|between|each|every) class(?:es)?|-hour (?:classes|evenings|lessons?)|lessons of (?:two|three|four) hours|of talk|short talks|(?:he|she) explains|evenings|every evening|each evening|saturdays?|(?:in|share) the room|half-days?|the class|other learners|another (?:group|pair|team)|(?:days?|weeks?|months?) ahead|two instructors|one of ours|peer review|by a peer|next lead|second (?:reviewer|administrator)|mock regulator|design reviews|in the part of|(?:discussed|reviewed|defended|defend them|each one) live)\b/i;

/** Texts of courses offered as guided study (P38) that describe a group, a room or fixed days. */
export function guidedStudyFaults(courses: CourseContent[]): CrossFault[] {
  return courses.flatMap((course, index) => {
    if (!course.guided) return [];
    return textsOf(course).flatMap(([path, text]): CrossFault[] => {
      const found = contradictions.exec(text)?.[0];
      return found ? [{ file: { course: index }, path, message: `"${found}" is not true of guided study (P38)` }] : [];
    });
  });
}

/** Every visible text of a course with the field that holds it. */
export function textsOf(course: CourseContent): [PropertyKey[], string][] {
  const each = (name: string, texts: string[]) => texts.map((text, at): [PropertyKey[], string] => [[name, at], text]);
  return [
    [['description'], course.description],
    [['overview'], course.overview],
    ...each('objectives', course.objectives),
    ...course.curriculum.flatMap(({ module, topics }, at): [PropertyKey[], string][] => [
      [['curriculum', at, 'module'], module],
      ...topics.map((topic, inner): [PropertyKey[], string] => [['curriculum', at, 'topics', inner], topic]),
    ]),
    ...each('prerequisites', course.prerequisites),
    [['credential'], course.credential],
  ];
}
