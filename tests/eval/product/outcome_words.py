"""Takes the words of an outcome out of an idea. An idea that was written after its run still names the
change."""
import re

WORDS = """slow slower slowdown slowest faster fastest worse worst better best beats beat fail* regress* hurt* improv*
speedup* tflop* gflops gains gained loss losses lost drop dropped drops collapse* catastrophic kill* crash* segfault*
hang* hung error* bug bugs broke broken incorrect wrong verification verified passed exceed* overflow* insufficient
unstable marginal* slight* significant* massive* huge negligible identical equivalent neutral noise record winner
champion success* succeed* help helps helped benefit* effect difference timeout* invalid incompatib* illegal attempted
minimal plateau* discard* promising disappointing confirmed""".split()
# the first word goes with what follows it: "too slow", "no change"
PHRASES = ["no change", "no gain", "no benefit", "no improvement", "no effect", "no difference", "not better", "not enough",
           "too slow", "too many", "too few", "too large", "same as", "new best", "same performance", "does not work",
           "did not work", "not worth"]
RESULT = r"[-+~]?\d+(?:\.\d+)?\s?(?:%|tflop\w*|gflop\w*|us\b|ms\b|x (?:faster|slower|speedup|improvement|better|worse|vs|over)\w*)|\d+\.\d+x\b"
OUTCOME = re.compile(RESULT + r"|\b(?:" + "|".join(PHRASES) + r")\b|\b(?:"
                     + "|".join(w.replace("*", r"\w*") for w in WORDS) + r")\b", re.I)


def strip(text):
    return OUTCOME.sub(" ", text)
