"""Takes the words of an outcome out of an idea. An idea that was written after its run still names the
change."""
import json
import os
import re


def listed(name):
    """A list that outcome_words.c includes: strings between commas."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", name), encoding="utf-8") as f:
        return json.loads(f"[{f.read()}]")


WORDS = listed("outcome_words.inc")  # a "*" at the end stands for any ending
PHRASES = listed("outcome_phrases.inc")  # the first word goes with what follows it: "too slow", "no change"
RESULT = r"[-+~]?\d+(?:\.\d+)?\s?(?:%|tflop\w*|gflop\w*|us\b|ms\b|x (?:faster|slower|speedup|improvement|better|worse|vs|over)\w*)|\d+\.\d+x\b"
OUTCOME = re.compile(RESULT + r"|\b(?:" + "|".join(PHRASES) + r")\b|\b(?:"
                     + "|".join(w.replace("*", r"\w*") for w in WORDS) + r")\b", re.I)


def strip(text):
    return OUTCOME.sub(" ", text)
