"""The table of faults: every kind of damage with every command that it can reach."""

from __future__ import annotations

from faults_adapt import ADAPT
from faults_compositions import COMPOSED
from faults_corpora import CORPORA
from faults_evaluations import EVALUATIONS
from faults_models import MODELS
from faults_numbers import NUMBERS
from faults_outputs import OUTPUTS
from faults_pretrain import PRETRAIN
from faults_recipes import RECIPES
from faults_records import RECORDS
from faults_static import STATIC
from faults_sweeps import SWEEPS

FAULTS = [*COMPOSED, *CORPORA, *NUMBERS, *RECIPES, *MODELS, *EVALUATIONS, *OUTPUTS, *RECORDS, *STATIC, *ADAPT, *SWEEPS, *PRETRAIN]
