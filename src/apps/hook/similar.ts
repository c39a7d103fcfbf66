export { localSimilarMemory } from '../../io/similar/similar-memory.ts';
