"""The types of options that several rules take; those of one rule are defined with it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from augcse.lexicon.open import BUNDLED_LEXICON, FOLDER, check_lexicon_name
from augcse.model_folder import BUNDLED_BACKBONES, local_model_folder
from augcse.options import FileName

# "grammatical": only changes that read well; the other value: the rule as published, without judge or refusals.
Fidelity = Literal["grammatical", "original"]
PaperFidelity = Literal["grammatical", "paper"]  # "paper": the algorithm as the paper prints it
RepoFidelity = Literal["grammatical", "repo"]  # "repo": what the released code does
Precision = Literal["auto", "bf16", "fp32"]
# The judges that use no masked language model.
JUDGES = ("none", "lexical", "parse")


def check_model_name(name: str) -> str:
    """Return a model's name; raises `UserError` for a path to no model."""
    local_model_folder(name)
    return name


def check_judge_name(name: str) -> str:
    """Return a judge's name; raises `UserError` for a path to no model."""
    return name if name in JUDGES else check_model_name(name)


LexiconName = Annotated[
    str,
    AfterValidator(check_lexicon_name),
    FileName((BUNDLED_LEXICON,), FOLDER),
    Field(description="bundled, or wndb:FOLDER for WordNet's files"),
]
ModelName = Annotated[
    str,
    AfterValidator(check_model_name),
    FileName(tuple(BUNDLED_BACKBONES)),
    Field(min_length=1, max_length=4096, description="a folder, mini-bert, or a hub name"),
]
JudgeName = Annotated[
    str,
    AfterValidator(check_judge_name),
    FileName((*JUDGES, *BUNDLED_BACKBONES)),
    Field(min_length=1, max_length=4096, description="none, lexical, parse, or a model: mini-bert, a folder"),
]
MaskText = Annotated[str, Field(pattern=r"\S", max_length=100, description="the encoder's mask token, e.g. [MASK]")]
LanguageCode = Annotated[str, Field(pattern=r"^[a-z]{2,3}$", description="a language's code, e.g. de")]
# All beams are in memory at once.
Beams = Annotated[int, Field(ge=1, le=200)]
MaxTokens = Annotated[int, Field(ge=1, le=4096)]
# 0 means beam search, more means sampling; above 10 all tokens are almost equally probable.
SamplingTemperature = Annotated[float, Field(ge=0, le=10)]
